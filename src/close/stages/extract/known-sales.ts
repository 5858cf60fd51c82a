import type { SaleRow } from '../../workspace/tables.ts';
import type { WorkspaceQueries } from '../../workspace/workspace.ts';
import type { ChannelLoad } from './channel-load.ts';

/** A sale as the workspace has it, and where it was seen last. */
export type KnownSale = Pick<
  SaleRow,
  'key' | 'digest' | 'file' | 'line' | 'load' | 'body' | 'instant' | 'controls'
>;
export const KNOWN_COLUMNS = [
  'key',
  'digest',
  'file',
  'line',
  'load',
  'body',
  'instant',
  'controls',
] as const;

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
