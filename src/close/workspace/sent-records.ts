import { pagesBy } from '../../database/pages.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { deleteIn, put, rowsIn, type Said } from './queries.ts';
import type { DecidedRecordRow, RecordedRow } from './service-tables.ts';
import type { PageKind } from './stage-pages.ts';
import type { Workspace } from './workspace.ts';
import { BATCH_ROWS } from './workspace.ts';

/** What is sent to a service beside sales, and what it holds beside them. */

/** The workspace, and the name of the service under which it keeps what it says. */
export type AtService = { readonly workspace: Workspace; readonly serviceName: string };

type Days = Pick<FilingPeriod, 'first' | 'last'>;

const rowsAt = <Table extends 'refund_adjustment' | 'recorded' | 'decided_record'>(
  { workspace, serviceName }: AtService,
  table: Table,
) =>
  rowsIn(workspace, table as 'refund_adjustment').where('service', '=', serviceName) as unknown as ReturnType<
    typeof rowsIn<Table>
  >;

/** The stages of what was sent to one service or another. */
export const submittedStages = async (workspace: Workspace): Promise<readonly PageKind[]> => {
  const stages = rowsIn(workspace, 'page').select('stage').distinct().where('stage', 'like', 'submitted %');
  return (await stages.execute()).map(({ stage }) => stage as PageKind);
};

/** Note an adjustment of a refund. */
export const keepAdjustment = (
  { workspace, serviceName: service }: AtService,
  adjustment: Omit<Said<'refund_adjustment'>, 'service'>,
): Promise<void> => put(workspace, 'refund_adjustment', [{ service, ...adjustment }]);

/** The ids of the adjustments of refunds, by the key of the refund. */
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

/** Forget the adjustments of a refund. */
export const forgetAdjustments = async (
  { workspace, serviceName }: AtService,
  key: string,
): Promise<void> => {
  await deleteIn(workspace, 'refund_adjustment')
    .where('service', '=', serviceName)
    .where('key', '=', key)
    .execute();
};

/** The adjustments of posted refunds of these days. They are few, and are looked at first. */
export const adjustmentsIn = (
  { workspace, serviceName }: AtService,
  provider: string,
  { first, last }: Days,
) =>
  rowsIn(workspace, 'refund_adjustment')
    .crossJoin('sale')
    .select(['refund_adjustment.key', 'refund_adjustment.id', 'sale.instant'])
    .where('refund_adjustment.service', '=', serviceName)
    .where('refund_adjustment.provider', '=', provider)
    .whereRef('sale.entity', '=', 'refund_adjustment.entity')
    .whereRef('sale.key', '=', 'refund_adjustment.key')
    .where('sale.posting', '=', 'posted')
    .where('sale.business_date', '>=', first)
    .where('sale.business_date', '<=', last)
    .execute();

type Decided = Omit<DecidedRecordRow, 'entity' | 'service'>;

/** Note what is sent because a person decided so, or was withdrawn. */
export const keepDecided = (
  { workspace, serviceName: service }: AtService,
  records: readonly Decided[],
): Promise<void> =>
  put(
    workspace,
    'decided_record',
    records.map((record) => ({ ...record, service })),
  );

/** What was sent because a person decided so, and is not posted any more, by its key. */
export const sentAndNotPosted = ({ workspace, serviceName }: AtService): Promise<readonly Decided[]> =>
  rowsIn(workspace, 'decided_record')
    .leftJoin('sale', (join) =>
      join.onRef('sale.entity', '=', 'decided_record.entity').onRef('sale.key', '=', 'decided_record.key'),
    )
    .selectAll('decided_record')
    .where('decided_record.service', '=', serviceName)
    .where('decided_record.state', '=', 'sent')
    .where(({ or, eb }) => or([eb('sale.posting', 'is', null), eb('sale.posting', '<>', 'posted')]))
    .orderBy('decided_record.key')
    .execute();

/** What was withdrawn of some days because its decision was taken back, by its key. */
export const withdrawnOf = (at: AtService, { first, last }: Days) =>
  rowsAt(at, 'decided_record')
    .select(['key', 'kind', 'id'])
    .where('state', '=', 'withdrawn')
    .where('business_date', '>=', first)
    .where('business_date', '<=', last)
    .orderBy('key')
    .execute();

/** The kinds under which the workspace keeps what a service lists and does not show. */
const UNSHOWN = ['listed order', 'listed refund'] as const;

/** Keep what a service holds beside the sales. */
export const keepRecorded = (
  { workspace, serviceName: service }: AtService,
  records: readonly Omit<RecordedRow, 'entity' | 'service'>[],
): Promise<void> =>
  put(
    workspace,
    'recorded',
    records.map((record) => ({ service, ...record })),
  );

/** Forget what a service held of some days beside the sales. */
export const forgetRecorded = async (
  { workspace, serviceName }: AtService,
  { first, last }: Days,
): Promise<void> => {
  await deleteIn(workspace, 'recorded')
    .where('service', '=', serviceName)
    .where('business_date', '>=', first)
    .where('business_date', '<=', last)
    .execute();
};

/** What a service holds of some days beside the sales. */
export const recordedPages = (at: AtService, { first, last }: Days): AsyncGenerator<readonly RecordedRow[]> =>
  pagesBy(
    rowsAt(at, 'recorded').selectAll().where('business_date', '>=', first).where('business_date', '<=', last),
    ['provider', 'kind', 'id'],
    BATCH_ROWS,
  );

/** The orders among it. */
export const recordedOrders = (at: AtService, { first, last }: Days) =>
  rowsAt(at, 'recorded')
    .select(['provider', 'id'])
    .where('kind', '=', 'order')
    .where('business_date', '>=', first)
    .where('business_date', '<=', last)
    .execute();

/** What a service listed for some days and showed under none of these sources. */
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
