import { pagesBy } from '../../database/pages.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { filedByKey } from './filed-pages.ts';
import type { CarriedSaleRow } from './period-tables.ts';
import { rowsIn } from './queries.ts';
import { BATCH_ROWS, type Workspace } from './workspace.ts';

/**
 * A carried record, with the figures under which it is filed itself, if it is, and those of the filed record that it
 * replaces. The text of a filed record is stored with its lock and nowhere else.
 */
export type CarriedSale = CarriedSaleRow & {
  readonly filedFigures: string | null;
  readonly replacedFigures: string | null;
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

/** Returns where the carried records that correct these are filed. */
export const correctionPlaces = (workspace: Workspace, keys: readonly string[]) =>
  rowsIn(workspace, 'carried_sale')
    .select(['key', 'corrects', 'filed_on', 'amendment', 'posting'])
    .where('corrects', 'in', keys)
    .execute();
