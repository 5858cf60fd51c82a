import type { ClosePorts } from '../close-ports.ts';

/** The ids of the adjustments of refunds, by the key of the refund. */
export const adjustmentsOf = async (
  { workspace, serviceName }: ClosePorts,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  if (keys.length === 0) return new Map();
  const rows = await workspace.tables
    .selectFrom('refund_adjustment')
    .select(['key', 'id'])
    .where('entity', '=', workspace.entity)
    .where('service', '=', serviceName)
    .where('key', 'in', keys)
    .orderBy('id')
    .execute();
  const ids = new Map<string, string[]>();
  for (const { key, id } of rows) ids.set(key, [...(ids.get(key) ?? []), id]);
  return ids;
};
