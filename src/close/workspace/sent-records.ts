import { deleteIn, put, rowsIn, type Said } from './queries.ts';
import type { DecidedRecordRow } from './service-tables.ts';
import type { Workspace } from './workspace.ts';

/** Records that are sent to a service in addition to sales, and records that it has in addition to them. */

/** The workspace, and the name under which it stores data of the service. */
export type AtService = { readonly workspace: Workspace; readonly serviceName: string };

const rowsAt = <Table extends 'refund_adjustment' | 'recorded' | 'decided_record' | 'channel_provider'>(
  { workspace, serviceName }: AtService,
  table: Table,
) =>
  rowsIn(workspace, table as 'refund_adjustment').where('service', '=', serviceName) as unknown as ReturnType<
    typeof rowsIn<Table>
  >;

/** Store the provider under which the records of channels are sent. */
export const keepProviders = (
  { workspace, serviceName: service }: AtService,
  channels: readonly Omit<Said<'channel_provider'>, 'service'>[],
): Promise<void> =>
  put(
    workspace,
    'channel_provider',
    channels.map((channel) => ({ service, ...channel })),
  );

/** Returns the providers under which the records of channels were sent, ordered by channel. */
export const providersSent = (at: AtService) =>
  rowsAt(at, 'channel_provider').select(['channel', 'provider']).orderBy('channel').execute();

/** Store an adjustment of a refund. */
export const keepAdjustment = (
  { workspace, serviceName: service }: AtService,
  adjustment: Omit<Said<'refund_adjustment'>, 'service'>,
): Promise<void> => put(workspace, 'refund_adjustment', [{ service, ...adjustment }]);

/** Returns the ids of the adjustments of refunds, by the key of the refund. */
export const adjustmentsOf = async (
  at: AtService,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  if (keys.length === 0) return new Map();
  const rows = await rowsAt(at, 'refund_adjustment')
    .select(['key', 'id'])
    .where('key', 'in', keys)
    .orderBy('id')
    .execute();
  const ids = new Map<string, string[]>();
  for (const { key, id } of rows) ids.set(key, [...(ids.get(key) ?? []), id]);
  return ids;
};

/** Forget the adjustments of a refund, or only one of them. */
export const forgetAdjustments = async (
  { workspace, serviceName }: AtService,
  { key, id }: { readonly key: string; readonly id?: string },
): Promise<void> => {
  await deleteIn(workspace, 'refund_adjustment')
    .where('service', '=', serviceName)
    .where('key', '=', key)
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .execute();
};

type Decided = Omit<DecidedRecordRow, 'entity' | 'service'>;

/** Store records that are sent, or were withdrawn, because of a person's decision. */
export const keepDecided = (
  { workspace, serviceName: service }: AtService,
  records: readonly Decided[],
): Promise<void> =>
  put(
    workspace,
    'decided_record',
    records.map((record) => ({ ...record, service })),
  );
