import type { ClosePorts } from './close-ports.ts';

/** Note of these sales that the service held them and holds them no more, so that they are sent again. */
export const noteMissing = async (
  { workspace, serviceName }: ClosePorts,
  keys: readonly string[],
): Promise<void> => {
  if (keys.length === 0) return;
  await workspace.tables
    .updateTable('submission')
    .set({ state: 'missing' })
    .where('entity', '=', workspace.entity)
    .where('service', '=', serviceName)
    .where('state', '=', 'held')
    .where('key', 'in', keys)
    .execute();
};
