import { filedByKey } from './filed-pages.ts';
import type { CarriedSaleRow } from './period-tables.ts';
import type { Workspace } from './workspace.ts';

/**
 * What was carried, with the figures under which it is filed itself by now, and those of the filed record that it replaces.
 * What is filed lies with its lock, and nowhere else.
 */
export type CarriedSale = CarriedSaleRow & {
  readonly filedFigures: string | null;
  readonly replacedFigures: string | null;
};

export const withFigures = async (
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
