import { pagesBy } from '../../database/pages.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { Sale } from '../sales/sale.ts';
import { filedByKey } from './filed-pages.ts';
import type { CarriedSaleRow } from './period-tables.ts';
import { deleteIn, lacksKeyIn, put, rowsIn, type Said } from './queries.ts';
import { BATCH_ROWS, type Workspace } from './workspace.ts';

/**
 * A carried record, with the figures under which it is filed itself, if it is, and those of the filed record that it
 * replaces. The text of a filed record is stored with its lock and nowhere else.
 */
export type CarriedSale = CarriedSaleRow & {
  readonly filedFigures: string | null;
  readonly replacedFigures: string | null;
};

/** Carry records. They replace earlier carried records that correct the same ones and are not filed yet. */
export const carrySales = async (
  workspace: Workspace,
  corrected: readonly string[],
  rows: readonly Said<'carried_sale'>[],
): Promise<void> => {
  if (corrected.length === 0) return;
  await deleteIn(workspace, 'carried_sale')
    .where('corrects', 'in', corrected)
    .where(lacksKeyIn('carried_sale', 'filed_sale'))
    .execute();
  await put(workspace, 'carried_sale', rows);
};

/** Yields the records carried to these days, or added to an amended version, by day and key. */
export async function* carriedPages(
  workspace: Workspace,
  amendment: string,
  { first, last }: Pick<FilingPeriod, 'first' | 'last'>,
): AsyncGenerator<readonly CarriedSale[]> {
  const carried = rowsIn(workspace, 'carried_sale')
    .selectAll()
    .where('amendment', '=', amendment)
    .where('filed_on', '<=', last);
  for await (const page of pagesBy(carried, ['filed_on', 'key'], BATCH_ROWS, first))
    yield await withFigures(workspace, page);
}

/** Returns the records carried out of a locked period, by key. */
export const carriedOutOf = async (workspace: Workspace, source: string): Promise<readonly CarriedSale[]> =>
  withFigures(
    workspace,
    await rowsIn(workspace, 'carried_sale').selectAll().where('source', '=', source).orderBy('key').execute(),
  );

const withFigures = async (
  workspace: Workspace,
  rows: readonly CarriedSaleRow[],
): Promise<readonly CarriedSale[]> => {
  const filed = await filedByKey(
    workspace,
    rows.flatMap(({ key, replaces }) => [key, replaces]),
  );
  return rows.map((row) => ({
    ...row,
    filedFigures: filed.get(row.key)?.figures ?? null,
    replacedFigures: filed.get(row.replaces)?.figures ?? null,
  }));
};

/** Returns the records carried out of a locked period to days that no closing covers, by key. */
export const carriedUnclosed = async (workspace: Workspace, source: string): Promise<readonly Sale[]> => {
  const rows = await rowsIn(workspace, 'carried_sale')
    .select('body')
    .where('source', '=', source)
    .where('amendment', '=', '')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('closing')
            .select('closing.period')
            .whereRef('closing.entity', '=', 'carried_sale.entity')
            .whereRef('closing.first', '<=', 'carried_sale.filed_on')
            .whereRef('closing.last', '>=', 'carried_sale.filed_on'),
        ),
      ),
    )
    .orderBy('key')
    .execute();
  return rows.map(({ body }) => JSON.parse(body) as Sale);
};

/** Returns the sales that were carried under these keys. */
export const carriedByKey = async (
  workspace: Workspace,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Sale>> => {
  if (keys.length === 0) return new Map();
  const rows = await rowsIn(workspace, 'carried_sale')
    .select(['key', 'body'])
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map(({ key, body }) => [key, JSON.parse(body) as Sale]));
};

/**
 * Returns the keys of the carried records that correct these. Carried records that are filed stay permanently, but they
 * are few.
 */
export const correctionsOf = async (
  workspace: Workspace,
  keys: readonly string[],
): Promise<readonly string[]> => (await correctionPlaces(workspace, keys)).map(({ key }) => key);

/** Returns where all carried records are filed, or those with these keys. */
export const carriedPlaces = (workspace: Workspace, keys?: readonly string[]) =>
  rowsIn(workspace, 'carried_sale')
    .select(['key', 'filed_on', 'amendment', 'posting'])
    .$if(keys !== undefined, (query) => query.where('key', 'in', keys ?? []))
    .execute();

/** Returns where the carried records that correct these are filed. */
export const correctionPlaces = (workspace: Workspace, keys: readonly string[]) =>
  rowsIn(workspace, 'carried_sale')
    .select(['key', 'corrects', 'filed_on', 'amendment', 'posting'])
    .where('corrects', 'in', keys)
    .execute();

/** Returns the keys of the records of which a late version is filed on these days, by whatever books. */
export const lateOn = async (
  workspace: Workspace,
  { first, last }: Pick<FilingPeriod, 'first' | 'last'>,
): Promise<ReadonlySet<string>> => {
  const rows = await rowsIn(workspace, 'carried_sale')
    .select('corrects')
    .where('filed_on', '>=', first)
    .where('filed_on', '<=', last)
    .execute();
  return new Set(rows.map(({ corrects }) => corrects));
};

/**
 * Returns the first carried record, by key, that corrects a record filed under a label. With `otherThan`, skips those
 * that were carried out of that period.
 */
export const correctionOfFiled = (workspace: Workspace, label: string, otherThan?: string) =>
  rowsIn(workspace, 'carried_sale')
    .innerJoin('filed_sale', (join) =>
      join
        .onRef('filed_sale.entity', '=', 'carried_sale.entity')
        .onRef('filed_sale.key', '=', 'carried_sale.replaces'),
    )
    .select(['carried_sale.key', 'carried_sale.replaces'])
    .where('filed_sale.label', '=', label)
    .$if(otherThan !== undefined, (query) => query.where('carried_sale.source', '<>', otherThan ?? ''))
    .orderBy('carried_sale.key')
    .executeTakeFirst();
