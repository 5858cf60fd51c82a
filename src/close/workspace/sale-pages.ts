import type { Database } from '../../database/database.ts';
import { lockForTransaction } from '../../database/lock-for-transaction.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { sha256 } from '../../kernel/digest.ts';
import { DefectError } from '../../kernel/errors.ts';
import { withReadAhead } from '../../runtime/batches.ts';
import { pageBytes, pageText } from './page-bytes.ts';
import {
  changesOf,
  contentOfLines,
  hasLeft,
  linesIn,
  linesOfChange,
  maySayWithin,
  type SaleChange,
  type SaleLine,
  type StatedSale,
  salesOfLines,
  textOfLines,
} from './sale-changes.ts';
import { countSalesOf } from './sale-index.ts';
import { compareKeys } from './sale-key.ts';
import { endsPage, isWithin, type OpenSlot } from './sale-page.ts';
import type { SalePageRow } from './tables.ts';
import type { Workspace, WorkspaceQueries } from './workspace.ts';

/** The head of a page of stated sales, without the sales. */
export type SalePageHead = OpenSlot & Pick<SalePageRow, 'checksum' | 'content' | 'rows'>;

const HEAD = ['day', 'after', 'last', 'checksum', 'content', 'rows'] as const;

/** Returns the heads of the pages of these days, in order. Before that, writes the pages of days with changes. */
export const salePageHeads = async (
  workspace: Workspace,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<readonly SalePageHead[]> => {
  await writeSalePages(workspace);
  const rows = await workspace.tables
    .selectFrom('sale_page')
    .select(HEAD)
    .where('entity', '=', workspace.entity)
    .where('day', '>=', first)
    .where('day', '<=', last)
    .orderBy('day')
    .orderBy('after')
    .execute();
  return rows.map(headOf);
};

/** Returns how many sales the exports state for these days, those that are not posted among them. */
export const salesOnPages = async (...asked: Parameters<typeof salePageHeads>): Promise<number> =>
  (await salePageHeads(...asked)).reduce((sum, { rows }) => sum + rows, 0);

/** Returns the heads of the pages of one day as they were last written, in order. */
export const headsOfDay = async (workspace: Workspace, day: string): Promise<readonly SalePageHead[]> => {
  const rows = await workspace.tables
    .selectFrom('sale_page')
    .select(HEAD)
    .where('entity', '=', workspace.entity)
    .where('day', '=', day)
    .orderBy('after')
    .execute();
  return rows.map(headOf);
};

/** Returns the head of the page in a slot; `undefined` when it does not exist any more. */
export const salePageAt = async (
  workspace: Workspace,
  { day, after }: Pick<OpenSlot, 'day' | 'after'>,
): Promise<SalePageHead | undefined> => {
  const row = await workspace.tables
    .selectFrom('sale_page')
    .select(HEAD)
    .where('entity', '=', workspace.entity)
    .where('day', '=', day)
    .where('after', '=', after)
    .executeTakeFirst();
  return row && headOf(row);
};

const headOf = ({ day, ...row }: Pick<SalePageRow, (typeof HEAD)[number]>): SalePageHead => ({
  ...row,
  day: day as CalendarDate,
});

/** Returns the sales of a page, in the order of their keys. */
export const salesOfPage = async (workspace: Workspace, head: SalePageHead): Promise<readonly StatedSale[]> =>
  (await readSalePage(workspace, head))();

/**
 * Reads a page and returns a function that decodes its sales. A page that has not changed is often not decoded at all.
 *
 * @param isKept whether the decoded sales stay in memory for the next reader, as for a small month, which every stage
 * reads
 * @param states when given, sales to other states may be left out; they are for a page that is not kept in memory
 */
export const readSalePage = async (
  workspace: Workspace,
  head: SalePageHead,
  isKept = false,
  states?: readonly string[],
): Promise<() => readonly StatedSale[]> => {
  const kept = decoded.get(workspace.database) ?? new Map<string, readonly StatedSale[]>();
  decoded.set(workspace.database, kept);
  const known = kept.get(head.checksum);
  if (known) return () => known;
  const body = await bodyOfPage(workspace, head);
  return () => {
    const text = textIn(workspace, head, body).trimEnd();
    if (!isKept) return salesOfLines(states ? linesOfStates(text, states) : text);
    const sales = salesOfLines(text);
    // The cache is full of pages of another month.
    if (kept.size === DECODED_PAGES) kept.clear();
    kept.set(head.checksum, sales);
    return sales;
  };
};

/** Returns the lines that name one of these states: a search takes a tenth of the time of decoding. */
const linesOfStates = (text: string, states: readonly string[]): string => {
  const named = new RegExp(`"(?:${states.join('|')})"`);
  return text
    .split('\n')
    .filter((line) => named.test(line))
    .join('\n');
};

/** The most pages that stay decoded in memory, because stages read them repeatedly: about 12,000 sales. */
export const DECODED_PAGES = 48;

/** Decoded pages by checksum. */
const decoded = new WeakMap<Database, Map<string, readonly StatedSale[]>>();

/** Returns the text of a page, with a line for each sale: its key, the digest of its content, and the sale. */
const textOfPage = async (workspace: Workspace, page: PagePlace): Promise<string> =>
  textIn(workspace, page, await bodyOfPage(workspace, page));

type PagePlace = Pick<SalePageHead, 'day' | 'after'>;

const bodyOfPage = async ({ tables, entity }: Workspace, { day, after }: PagePlace): Promise<Uint8Array> => {
  const { body } = await tables
    .selectFrom('sale_page')
    .select('body')
    .where('entity', '=', entity)
    .where('day', '=', day)
    .where('after', '=', after)
    .executeTakeFirstOrThrow();
  return body;
};

const textIn = ({ database }: Workspace, { day, after }: PagePlace, body: Uint8Array): string =>
  pageText(
    database,
    body,
    after === '' ? `the first page of sales of ${day}` : `the page of sales of ${day} behind ${after}`,
  );

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
  const { tables, entity, database } = within;
  await lockForTransaction(database, tables, `sales of ${day} of ${entity}`);
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
