import type { CalendarDate } from '../../kernel/calendar.ts';
import { sha256 } from '../../kernel/digest.ts';
import { DefectError } from '../../kernel/errors.ts';
import { withReadAhead } from '../../runtime/batches.ts';
import { pageBytes } from './page-bytes.ts';
import {
  changesOf,
  contentOfLines,
  hasLeft,
  linesIn,
  linesOfChange,
  maySayWithin,
  type SaleChange,
  type SaleLine,
  textOfLines,
} from './sale-changes.ts';
import { countSalesOf } from './sale-index.ts';
import { compareKeys } from './sale-key.ts';
import { endsPage, isWithin, type OpenSlot } from './sale-page.ts';
import { headsOfDay, type SalePageHead, textOfPage } from './sale-page-rows.ts';
import type { Workspace, WorkspaceQueries } from './workspace.ts';

/**
 * Write the pages of all days in which sales were added, changed or removed since their pages were last written. If
 * nothing changed, this costs a single query.
 *
 * @param atOnce how many sales of a day are sorted together, which limits the memory that a day takes
 */
export const writeSalePages = async (workspace: Workspace, atOnce = SALES_AT_ONCE): Promise<void> => {
  for (const day of await changedDays(workspace)) await writePagesOfDay(workspace, day, atOnce);
};

/** Returns the days in which sales were added, changed or removed since their pages were last written. */
export const changedDays = async ({ tables, entity }: Workspace): Promise<readonly CalendarDate[]> => {
  const changed = await tables
    .selectFrom('sale_change')
    .select('day')
    .distinct()
    .where('entity', '=', entity)
    .orderBy('day')
    .execute();
  return changed.map(({ day }) => day as CalendarDate);
};

/**
 * Write the pages of a day in one transaction. Without changes it leaves them as they are. One process at a time writes
 * those of a day, so a worker that comes late finds what others have written; what is put meanwhile stays a change.
 */
export const writePagesOfDay = async (
  workspace: Workspace,
  day: CalendarDate,
  atOnce = SALES_AT_ONCE,
): Promise<void> => {
  const { tables, derived } = workspace;
  const write = (within: WorkspaceQueries) => writeDay({ ...workspace, tables: within }, day, atOnce);
  await (tables.isTransaction ? write(tables) : derived.transaction().execute(write));
};

/** Sales that are sorted together: about 16 MB of text. */
const SALES_AT_ONCE = 16_384;

const writeDay = async (within: Workspace, day: CalendarDate, atOnce: number): Promise<void> => {
  const { tables, entity } = within;
  const changes = await changesOf(within, [day]);
  const before = await headsOfDay(within, day);
  const stale = new Set(before.map(({ after }) => after));
  const known = new Map(before.map((head) => [`${head.after}\n${head.last}`, head.checksum]));
  let stated = 0;
  await withReadAhead(
    cut(linesOf(within, { day, before, changes }, atOnce)),
    async ({ after, last, lines }) => {
      stale.delete(after);
      stated += lines.length;
      const bytes = Buffer.from(textOfLines(lines));
      const checksum = sha256(bytes);
      if (known.get(`${after}\n${last}`) === checksum) return async () => {};
      const content = contentOfLines(lines);
      return async () => {
        const page = { last, checksum, content, rows: lines.length, body: await pageBytes(bytes) };
        await tables
          .insertInto('sale_page')
          .values({ entity, day, after, ...page })
          .onConflict((conflict) => conflict.columns(['entity', 'day', 'after']).doUpdateSet(page))
          .execute();
      };
    },
  );
  const indexed = await countSalesOf(within, day);
  // What the index lacks fails the control totals, which name the file.
  if (indexed > stated)
    throw new DefectError(`the index has ${indexed} sales of ${day}, and its pages have ${stated}`);
  if (stale.size > 0)
    await tables
      .deleteFrom('sale_page')
      .where('entity', '=', entity)
      .where('day', '=', day)
      .where('after', 'in', [...stale])
      .execute();
  // Changes that were added since have higher numbers.
  await tables
    .deleteFrom('sale_change')
    .where('entity', '=', entity)
    .where('day', '=', day)
    .where('number', '<=', changes.at(-1)?.number ?? 0)
    .execute();
};

/** Yields the lines of a day's sales in the order of their keys: those of their pages, with later changes applied. */
async function* linesOf(
  within: Workspace,
  {
    day,
    before,
    changes,
  }: {
    readonly day: CalendarDate;
    readonly before: readonly SalePageHead[];
    readonly changes: readonly SaleChange[];
  },
  atOnce: number,
): AsyncGenerator<readonly SaleLine[]> {
  const unread = [...before];
  let ahead: readonly SaleLine[] = [];
  for (let after = ''; ; ) {
    const last = await keyBehind(within, { day, after }, atOnce);
    const span = { after, last };
    const stated = [...ahead];
    // Pages are written while others are read, so each is read once, before any page in its range of keys is written.
    while (unread[0] && (last === '' || compareKeys(unread[0].after, last) < 0))
      stated.push(...linesIn(await textOfPage(within, unread.shift() as SalePageHead)));
    ahead = stated.filter(({ key }) => !isWithin(span, key));
    const lines = new Map<string, SaleLine>();
    for (const line of stated) if (isWithin(span, line.key)) lines.set(line.key, line);
    for (const change of changes.filter((one) => maySayWithin(one, span)))
      for (const line of await linesOfChange(within, change)) {
        if (!isWithin(span, line.key)) continue;
        if (hasLeft(line)) lines.delete(line.key);
        else lines.set(line.key, line);
      }
    yield [...lines.values()].sort((left, right) => compareKeys(left.key, right.key));
    if (last === '') return;
    after = last;
  }
}

/** Returns the key after which a span of this many sales ends; empty when the day has no more sales than that. */
const keyBehind = async (
  { tables, entity }: Workspace,
  { day, after }: Pick<OpenSlot, 'day' | 'after'>,
  atOnce: number,
): Promise<string> => {
  const row = await tables
    .selectFrom('sale')
    .select('key')
    .where('entity', '=', entity)
    .where('business_date', '=', day)
    .where('key', '>', after)
    .orderBy('key')
    .offset(atOnce)
    .limit(1)
    .executeTakeFirst();
  return row?.key ?? '';
};

type CutPage = { readonly after: string; readonly last: string; readonly lines: readonly SaleLine[] };

/** Cuts lines into pages. Each ends after a key that ends pages (`endsPage`), and the last one with its day. */
async function* cut(all: AsyncIterable<readonly SaleLine[]>): AsyncGenerator<CutPage> {
  let after = '';
  let lines: SaleLine[] = [];
  for await (const some of all)
    for (const line of some) {
      lines.push(line);
      if (!endsPage(line.key)) continue;
      yield { after, last: line.key, lines };
      after = line.key;
      lines = [];
    }
  if (lines.length > 0) yield { after, last: '', lines };
}
