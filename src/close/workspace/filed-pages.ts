import { pagesBy } from '../../database/pages.ts';
import { batchesOf } from '../../runtime/batches.ts';
import { damagedPage, pageBytes, pageText } from './page-bytes.ts';
import type { FiledSaleRow } from './period-tables.ts';
import { BATCH_ROWS, type Workspace, type WorkspaceQueries } from './workspace.ts';

/** A record as it was filed: where, its text as JSON, and its figures as JSON, `null` when it was not posted. */
export type FiledSale = FiledSaleRow & { readonly body: string; readonly figures: string | null };

/** A line of a page: the key of a record, its text, its figures. */
type FiledLine = readonly [key: string, body: string, figures: string | null];

/** File records with a lock: a row for each, by which it is found, and their texts together as a page. */
export const fileSales = async (
  { entity, upsert }: Workspace,
  tables: WorkspaceQueries,
  sales: readonly Omit<FiledSale, 'entity' | 'page'>[],
): Promise<void> => {
  const [{ label } = {}] = sales;
  if (label === undefined) return;
  const last = await tables
    .selectFrom('filed_page')
    .select(({ fn }) => fn.max('page').as('page'))
    .where('entity', '=', entity)
    .where('label', '=', label)
    .executeTakeFirst();
  const page = Number(last?.page ?? 0) + 1;
  const lines = sales.map(({ key, body, figures }): FiledLine => [key, body, figures]);
  const body = await pageBytes(JSON.stringify(lines));
  await tables.insertInto('filed_page').values({ entity, label, page, body }).execute();
  const rows = sales.map(({ body: _body, figures: _figures, ...row }) => ({ entity, ...row, page }));
  await upsert('filed_sale', rows, tables);
};

/** What locks hold, by the day with which it counts and its key. */
export async function* filedPages(
  workspace: Workspace,
  labels: readonly string[],
  days?: { readonly first: string; readonly last: string },
): AsyncGenerator<readonly FiledSale[]> {
  const rows = pagesBy(
    workspace.tables
      .selectFrom('filed_sale')
      .selectAll()
      .where('entity', '=', workspace.entity)
      .where('label', 'in', labels)
      .$if(days !== undefined, (query) => query.where('filed_on', '<=', days?.last ?? '')),
    ['filed_on', 'key'],
    BATCH_ROWS,
    days?.first,
  );
  for await (const page of rows) yield withTexts(workspace, page);
}

/** What locks hold of these keys. */
export const filedByKey = async (
  workspace: Workspace,
  keys: Iterable<string>,
): Promise<ReadonlyMap<string, FiledSale>> => {
  const found = new Map<string, FiledSale>();
  for (const batch of batchesOf([...new Set(keys)], BATCH_ROWS)) {
    const rows = await workspace.tables
      .selectFrom('filed_sale')
      .selectAll()
      .where('entity', '=', workspace.entity)
      .where('key', 'in', batch)
      .execute();
    for (const filed of await withTexts(workspace, rows)) found.set(filed.key, filed);
  }
  return found;
};

/** The same records with their texts: those of a page are read together. */
const withTexts = async (
  { tables, entity, database }: Workspace,
  rows: readonly FiledSaleRow[],
): Promise<readonly FiledSale[]> => {
  const texts = new Map<string, FiledLine>();
  for (const [label, own] of Map.groupBy(rows, (row) => row.label)) {
    const pages = await tables
      .selectFrom('filed_page')
      .select('body')
      .where('entity', '=', entity)
      .where('label', '=', label)
      .where('page', 'in', [...new Set(own.map(({ page }) => page))])
      .execute();
    for (const { body } of pages)
      for (const line of JSON.parse(pageText(database, body, filedWith(label))) as FiledLine[])
        texts.set(line[0], line);
  }
  return rows.map((row) => {
    const line = texts.get(row.key);
    if (!line) throw damagedPage(database, filedWith(row.label));
    return { ...row, body: line[1], figures: line[2] };
  });
};

const filedWith = (label: string): string => `what is filed with ${label}`;
