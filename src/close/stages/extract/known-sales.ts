import type { Sale } from '../../sales/sale.ts';
import { salesByKey } from '../../workspace/put-sales.ts';
import type { SaleRow } from '../../workspace/tables.ts';
import type { WorkspaceQueries } from '../../workspace/workspace.ts';
import type { ChannelLoad } from './channel-load.ts';

/** A sale as the workspace has it, and where it was seen last. */
export type KnownSale = Pick<SaleRow, (typeof KNOWN_COLUMNS)[number]>;
export const KNOWN_COLUMNS = ['key', 'digest', 'file', 'line', 'load', 'instant', 'controls'] as const;

/** The sales with these keys as the workspace has them, and which load saw them last. */
export const knownSales = async (
  { workspace }: ChannelLoad,
  keys: readonly string[],
  tables: WorkspaceQueries,
): Promise<Map<string, KnownSale>> => {
  if (keys.length === 0) return new Map();
  const rows = await tables
    .selectFrom('sale')
    .select(KNOWN_COLUMNS)
    .where('entity', '=', workspace.entity)
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map((row) => [row.key, row]));
};

/** Those of them that this load has seen already, as it read them. */
export const seenSales = (
  { workspace, load }: ChannelLoad,
  known: ReadonlyMap<string, KnownSale>,
  tables: WorkspaceQueries,
): Promise<ReadonlyMap<string, Sale>> => {
  const seen = [...known.values()].filter((row) => row.load === load);
  return salesByKey(
    workspace,
    seen.map(({ key }) => key),
    tables,
  );
};
