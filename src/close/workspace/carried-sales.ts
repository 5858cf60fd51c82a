import { pagesBy } from '../../database/pages.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { Sale } from '../sales/sale.ts';
import { filedByKey } from './filed-pages.ts';
import type { CarriedSaleRow } from './period-tables.ts';
import { deleteIn, lacksKeyIn, put, rowsIn, type Said } from './queries.ts';
import { BATCH_ROWS, type Workspace } from './workspace.ts';

/**
 * What was carried, with the figures under which it is filed itself by now, and those of the filed record that it replaces.
 * What is filed lies with its lock, and nowhere else.
 */
export type CarriedSale = CarriedSaleRow & {
  readonly filedFigures: string | null;
  readonly replacedFigures: string | null;
};

/** Carry records; what was carried to correct the same ones, and no lock holds yet, gives way. */
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

/** What was carried to days up to one, or put into an amended version, by these days and its key. */
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

/** What was carried out of a locked period, by its key. */
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

/** What was carried out of a locked period to days that no closing has, by its key. */
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

/** The sales that were carried under these keys. */
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

/** The keys of what was carried to correct these records. Whatever was ever carried stays, and is little. */
export const correctionsOf = async (
  workspace: Workspace,
  keys: readonly string[],
): Promise<readonly string[]> => {
  const corrections = rowsIn(workspace, 'carried_sale').select('key').where('corrects', 'in', keys);
  return (await corrections.execute()).map(({ key }) => key);
};

/** Where everything is filed that was ever carried, or what was carried under these keys. */
export const carriedPlaces = (workspace: Workspace, keys?: readonly string[]) =>
  rowsIn(workspace, 'carried_sale')
    .select(['key', 'filed_on', 'amendment', 'posting'])
    .$if(keys !== undefined, (query) => query.where('key', 'in', keys ?? []))
    .execute();

/** The first correction, by its key, of a record that a lock holds; of other periods than one only where that is named. */
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
