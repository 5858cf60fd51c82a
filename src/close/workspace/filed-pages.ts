import { pagesBy } from '../../database/pages.ts';
import { batchesOf } from '../../runtime/batches.ts';
import { damagedPage, pageText } from './page-bytes.ts';
import type { FiledSaleRow } from './period-tables.ts';
import { rowsIn } from './queries.ts';
import { BATCH_ROWS, type Workspace } from './workspace.ts';

/** A record as it was filed: its place, its text as JSON, and its figures as JSON, `null` when it was not posted. */
export type FiledSale = FiledSaleRow & { readonly body: string; readonly figures: string | null };

/** A line of a page: the key of a record, its text, its figures. */
type FiledLine = readonly [key: string, body: string, figures: string | null];

/**
 * The key of a filed record that is not posted. Such a record is in no return, so it is kept under the label of its
 * lock, and its own key stays free for the period in which it may be posted later.
 */
export const unpostedKey = (label: string, key: string): string => `${label}:${key}`;

/** Returns the key that such a record has in the exports. */
export const ownKeyOf = ({ label, key }: Pick<FiledSaleRow, 'label' | 'key'>): string =>
  key.slice(unpostedKey(label, '').length);

/** Yields the filed records of these locks, by the day on which they count and by key. */
export async function* filedPages(
  workspace: Workspace,
  labels: readonly string[],
  days?: { readonly first: string; readonly last: string },
): AsyncGenerator<readonly FiledSale[]> {
  const rows = pagesBy(
    rowsIn(workspace, 'filed_sale')
      .selectAll()
      .where('label', 'in', labels)
      .$if(days !== undefined, (query) => query.where('filed_on', '<=', days?.last ?? '')),
    ['filed_on', 'key'],
    BATCH_ROWS,
    days?.first,
  );
  for await (const page of rows) yield withTexts(workspace, page);
}

/** Returns the filed records with these keys. */
export const filedByKey = async (
  workspace: Workspace,
  keys: Iterable<string>,
): Promise<ReadonlyMap<string, FiledSale>> => {
  const found = new Map<string, FiledSale>();
  for (const batch of batchesOf([...new Set(keys)], BATCH_ROWS)) {
    const rows = await rowsIn(workspace, 'filed_sale').selectAll().where('key', 'in', batch).execute();
    for (const filed of await withTexts(workspace, rows)) found.set(filed.key, filed);
  }
  return found;
};

/** Returns the records with their texts. Each page is read once. */
const withTexts = async (
  workspace: Workspace,
  rows: readonly FiledSaleRow[],
): Promise<readonly FiledSale[]> => {
  const { database } = workspace;
  const texts = new Map<string, FiledLine>();
  for (const [label, own] of Map.groupBy(rows, (row) => row.label)) {
    const pages = await rowsIn(workspace, 'filed_page')
      .select('body')
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

/** Returns those of these keys that are posted and filed, with the labels of their locks and the days on which they count. */
export const filedAmong = (workspace: Workspace, keys: readonly string[]) =>
  rowsIn(workspace, 'filed_sale')
    .select(['key', 'label', 'filed_on'])
    .where('posting', '=', 'posted')
    .where('key', 'in', keys)
    .execute();

/** A filed record that is not posted, under the label of its lock. `corrects` is empty unless it is late. */
export type UnpostedRow = Pick<FiledSaleRow, 'key' | 'label' | 'corrects'>;

/** Returns the filed records under these labels that are not posted and have one of these keys in the exports. */
export const unpostedAmong = async (
  workspace: Workspace,
  labels: readonly string[],
  keys: readonly string[],
): Promise<readonly UnpostedRow[]> => {
  const own = labels.flatMap((label) => keys.map((key) => unpostedKey(label, key)));
  const found: UnpostedRow[] = [];
  for (const batch of batchesOf(own, BATCH_ROWS)) {
    const rows = rowsIn(workspace, 'filed_sale').select(['key', 'label', 'corrects']);
    found.push(...(await rows.where('key', 'in', batch).execute()));
  }
  return found;
};
