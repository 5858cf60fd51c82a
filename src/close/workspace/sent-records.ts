import { pagesBy } from '../../database/pages.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { deleteIn, put, rowsIn, type Said } from './queries.ts';
import type { DecidedRecordRow, RecordedRow } from './service-tables.ts';
import type { PageKind } from './stage-pages.ts';
import type { Workspace } from './workspace.ts';
import { BATCH_ROWS } from './workspace.ts';

/** Records that are sent to a service in addition to sales, and records that it has in addition to them. */

/** The workspace, and the name under which it stores data of the service. */
export type AtService = { readonly workspace: Workspace; readonly serviceName: string };

type Days = Pick<FilingPeriod, 'first' | 'last'>;

const rowsAt = <Table extends 'refund_adjustment' | 'recorded' | 'decided_record' | 'channel_provider'>(
  { workspace, serviceName }: AtService,
  table: Table,
) =>
  rowsIn(workspace, table as 'refund_adjustment').where('service', '=', serviceName) as unknown as ReturnType<
    typeof rowsIn<Table>
  >;

/** Returns the submit stages of all services that anything was sent to. */
export const submittedStages = async (workspace: Workspace): Promise<readonly PageKind[]> => {
  const stages = rowsIn(workspace, 'page').select('stage').distinct().where('stage', 'like', 'submitted %');
  return (await stages.execute()).map(({ stage }) => stage as PageKind);
};

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

/** Returns the records of these days that were withdrawn because their decision was revoked, by key. */
export const withdrawnOf = (at: AtService, { first, last }: Days) =>
  rowsAt(at, 'decided_record')
    .select(['key', 'kind', 'id'])
    .where('state', '=', 'withdrawn')
    .where('business_date', '>=', first)
    .where('business_date', '<=', last)
    .orderBy('key')
    .execute();

/** The kinds under which the workspace stores records that a service lists but does not show. */
const UNSHOWN = ['listed order', 'listed refund'] as const;

/** Yields the records of these days that a service has in addition to the sales. */
export const recordedPages = (at: AtService, { first, last }: Days): AsyncGenerator<readonly RecordedRow[]> =>
  pagesBy(
    rowsAt(at, 'recorded').selectAll().where('business_date', '>=', first).where('business_date', '<=', last),
    ['provider', 'kind', 'id'],
    BATCH_ROWS,
  );

/** Returns the records that a service listed for these days but did not show under any of these sources. */
export const listedOnly = (
  { workspace, serviceName }: AtService,
  { first, last }: Days,
  providers: readonly string[],
) =>
  workspace.tables
    .selectFrom('recorded as listed')
    .select(['provider', 'kind', 'id'])
    .where('entity', '=', workspace.entity)
    .where('service', '=', serviceName)
    .where('kind', 'in', UNSHOWN)
    .where('business_date', '>=', first)
    .where('business_date', '<=', last)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('recorded as shown')
            .select('shown.id')
            .whereRef('shown.entity', '=', 'listed.entity')
            .whereRef('shown.service', '=', 'listed.service')
            .where('shown.provider', 'in', providers)
            .whereRef('shown.id', '=', 'listed.id')
            .where(({ eb, val, ref }) => eb('listed.kind', '=', eb(val('listed '), '||', ref('shown.kind')))),
        ),
      ),
    )
    .orderBy('kind')
    .orderBy('id')
    .orderBy('provider')
    .execute();
