import type { Sale } from '../../../sales/sale.ts';
import { salesByKey } from '../../../workspace/put-sales.ts';
import { compareKeys } from '../../../workspace/sale-key.ts';
import type { SaleRow } from '../../../workspace/tables.ts';
import type { WorkspaceQueries } from '../../../workspace/workspace.ts';
import type { OpenLoad } from './channel-load.ts';

/** A sale as the workspace has it, and where it was seen last. */
export type KnownSale = Pick<SaleRow, (typeof KNOWN_COLUMNS)[number]>;
export const KNOWN_COLUMNS = ['key', 'business_date', 'digest', 'load', 'instant', 'controls'] as const;

/** The sales with these keys as the workspace has them, and which load saw them last. */
export const knownSales = async (
  { workspace }: OpenLoad,
  keys: readonly string[],
  tables: WorkspaceQueries,
): Promise<Map<string, KnownSale>> => {
  if (keys.length === 0) return new Map();
  const known = tables.selectFrom('sale').select(KNOWN_COLUMNS).where('entity', '=', workspace.entity);
  const inOrder = [...keys].sort(compareKeys);
  // Records mostly stand in the order of their numbers: one look at the keys between the first and the last is enough.
  const between = await known
    .where('key', '>=', inOrder[0] ?? '')
    .where('key', '<=', inOrder.at(-1) ?? '')
    .limit(keys.length + 1)
    .execute();
  const rows = between.length <= keys.length ? between : await known.where('key', 'in', keys).execute();
  const wanted = new Set(keys);
  return new Map(rows.filter(({ key }) => wanted.has(key)).map((row) => [row.key, row]));
};

/** Those of them that this load has seen already, as it read them. */
export const seenSales = (
  { workspace, number }: OpenLoad,
  known: ReadonlyMap<string, KnownSale>,
  tables: WorkspaceQueries,
): Promise<ReadonlyMap<string, Sale>> => {
  const seen = [...known.values()].filter((row) => row.load === number);
  return salesByKey(
    workspace,
    seen.map(({ key }) => key),
    tables,
  );
};
