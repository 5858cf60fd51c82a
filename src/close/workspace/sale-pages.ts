import type { Database } from '../../database/database.ts';
import { pagesOf } from '../../database/pages.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { sha256 } from '../../kernel/digest.ts';
import { DefectError } from '../../kernel/errors.ts';
import type { Sale } from '../sales/sale.ts';
import { pageBytes, pageText } from './page-bytes.ts';
import { endsPage, type OpenSlot } from './sale-page.ts';
import type { SalePageRow } from './tables.ts';
import { BATCH_ROWS, type Workspace, type WorkspaceQueries } from './workspace.ts';

/** A sale as the exports state it, with the digest of its content. */
export type StatedSale = { readonly key: string; readonly digest: string; readonly sale: Sale };

/** A page of stated sales without them. */
export type SalePageHead = OpenSlot & Pick<SalePageRow, 'checksum' | 'rows'>;

const HEAD = ['day', 'after', 'last', 'checksum', 'rows'] as const;

/** The pages of the stated sales of these days, in order. Pages of days in which something changed are written first. */
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

/** The pages of one day as they were written last, in order. */
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

/** The page of a slot; `undefined` when there is none any more. */
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

/**
 * The sales of a page, by their keys in order.
 *
 * @param isKept whether they stay decoded for those who ask next, as those of a small month do, which every stage goes through
 */
export const salesOfPage = async (
  workspace: Workspace,
  head: SalePageHead,
  isKept = false,
): Promise<readonly StatedSale[]> => {
  const kept = decoded.get(workspace.database) ?? new Map<string, readonly StatedSale[]>();
  decoded.set(workspace.database, kept);
  const known = kept.get(head.checksum);
  if (known) return known;
  const text = await textOfPage(workspace, workspace.tables, head);
  const lines = JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as [string, string, Sale][];
  const sales = lines.map(([key, digest, sale]) => ({ key, digest, sale }));
  if (isKept) {
    // Another month has begun.
    if (kept.size === DECODED_PAGES) kept.clear();
    kept.set(head.checksum, sales);
  }
  return sales;
};

/** The most pages of days that are gone through again and again and stay decoded: about 12,000 sales. */
export const DECODED_PAGES = 48;

/** Pages that are decoded, by their checksums. */
const decoded = new WeakMap<Database, Map<string, readonly StatedSale[]>>();

/** A line for each sale: its key, the digest of its content, and the sale. */
const textOfPage = async (
  { database, entity }: Workspace,
  tables: WorkspaceQueries,
  { day, after }: Pick<SalePageHead, 'day' | 'after'>,
): Promise<string> => {
  const { body } = await tables
    .selectFrom('sale_page')
    .select('body')
    .where('entity', '=', entity)
    .where('day', '=', day)
    .where('after', '=', after)
    .executeTakeFirstOrThrow();
  return pageText(
    database,
    body,
    after === '' ? `the first page of sales of ${day}` : `the page of sales of ${day} behind ${after}`,
  );
};

/**
 * Write the pages of the days in which sales were put, changed or removed since their pages were written. Each day is one
 * step. Where nothing changed, it is one question.
 */
export const writeSalePages = async (workspace: Workspace): Promise<void> => {
  const { tables, entity } = workspace;
  for (;;) {
    const changed = await tables
      .selectFrom('sale_change')
      .select('day')
      .where('entity', '=', entity)
      .orderBy('day')
      .limit(1)
      .executeTakeFirst();
    if (!changed) return;
    const write = (within: WorkspaceQueries) => writeDay(workspace, within, changed.day as CalendarDate);
    await (tables.isTransaction ? write(tables) : workspace.together(write));
  }
};

const writeDay = async (workspace: Workspace, tables: WorkspaceQueries, day: CalendarDate): Promise<void> => {
  const { entity } = workspace;
  const before = await headsOfDay({ ...workspace, tables }, day);
  const stale = new Set(before.map(({ after }) => after));
  const known = new Map(before.map((head) => [`${head.after}\n${head.last}`, head.checksum]));
  for await (const { after, last, lines } of cut(linesOf(workspace, tables, day, before))) {
    stale.delete(after);
    const text = lines.map(({ text }) => text).join('');
    const checksum = sha256(text);
    if (known.get(`${after}\n${last}`) === checksum) continue;
    const body = await pageBytes(text);
    const page = { last, checksum, rows: lines.length, body };
    await tables
      .insertInto('sale_page')
      .values({ entity, day, after, ...page })
      .onConflict((conflict) => conflict.columns(['entity', 'day', 'after']).doUpdateSet(page))
      .execute();
  }
  if (stale.size > 0)
    await tables
      .deleteFrom('sale_page')
      .where('entity', '=', entity)
      .where('day', '=', day)
      .where('after', 'in', [...stale])
      .execute();
  await tables.deleteFrom('sale_change').where('entity', '=', entity).where('day', '=', day).execute();
};

type Line = { readonly key: string; readonly text: string };

/** The lines of the sales of a day: of what changed as it is now, and of all others as their pages have them. */
async function* linesOf(
  workspace: Workspace,
  tables: WorkspaceQueries,
  day: CalendarDate,
  before: readonly SalePageHead[],
): AsyncGenerator<Line> {
  const earlier = new Map<string, string>();
  const unread = [...before];
  const earlierLine = async (key: string): Promise<string> => {
    while (!earlier.has(key)) {
      const head = unread.shift();
      if (!head) throw new DefectError(`the sale ${key} is in no page of ${day}`);
      earlier.clear();
      for (const text of (await textOfPage(workspace, tables, head)).split('\n'))
        if (text !== '') earlier.set(keyOfLine(text), `${text}\n`);
    }
    return earlier.get(key) as string;
  };
  for await (const page of changedRows(tables, workspace.entity, day))
    for (const { key, digest, body } of page) {
      const text = body ? `[${JSON.stringify(key)},"${digest}",${body}]\n` : await earlierLine(key);
      yield { key, text };
    }
}

const keyOfLine = (text: string): string => {
  const [quoted = ''] = /^\[("(?:[^"\\]|\\.)*")/.exec(text)?.slice(1) ?? [];
  return JSON.parse(quoted) as string;
};

type ChangedRow = { readonly key: string; readonly digest: string; readonly body: string | null };

const changedRows = (
  tables: WorkspaceQueries,
  entity: string,
  day: CalendarDate,
): AsyncGenerator<readonly ChangedRow[]> =>
  pagesOf<ChangedRow>(BATCH_ROWS, (after, rowsMax) =>
    tables
      .selectFrom('sale')
      .leftJoin('sale_change', (join) =>
        join
          .onRef('sale_change.entity', '=', 'sale.entity')
          .onRef('sale_change.day', '=', 'sale.business_date')
          .onRef('sale_change.key', '=', 'sale.key'),
      )
      .select(['sale.key', 'sale.digest', 'sale_change.body'])
      .where('sale.entity', '=', entity)
      .where('sale.business_date', '=', day)
      .$if(after !== undefined, (query) => query.where('sale.key', '>', after?.key ?? ''))
      .orderBy('sale.key')
      .limit(rowsMax)
      .execute(),
  );

type CutPage = { readonly after: string; readonly last: string; readonly lines: readonly Line[] };

/** Each page ends behind a key that ends pages, the last one with its day. */
async function* cut(all: AsyncIterable<Line>): AsyncGenerator<CutPage> {
  let after = '';
  let lines: Line[] = [];
  for await (const line of all) {
    lines.push(line);
    if (!endsPage(line.key)) continue;
    yield { after, last: line.key, lines };
    after = line.key;
    lines = [];
  }
  if (lines.length > 0) yield { after, last: '', lines };
}
