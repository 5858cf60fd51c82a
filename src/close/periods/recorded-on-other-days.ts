import type { FilingPeriod } from '../../kernel/period.ts';
import { batchesOf } from '../../runtime/batches.ts';
import { providerOf } from '../configuration/provider-of.ts';
import type { RecordedRow } from '../workspace/service-tables.ts';
import { BATCH_ROWS } from '../workspace/workspace.ts';
import type { RecordedBy } from './recorded-of-period.ts';

/**
 * What the service holds of the sales of a period under days outside it, in pages: refunds whose exports gave them
 * another day after they were recorded, which nothing can update, with their adjustments; and what was filed under
 * these labels when days were counted in another time zone. What was carried is none of it.
 */
export async function* recordedOnOtherDays(
  by: RecordedBy,
  period: FilingPeriod,
  labels: readonly string[],
): AsyncGenerator<readonly RecordedRow[]> {
  for (const { name } of by.configuration.channels) {
    yield* batchesOf(await recordsOf(by, period, name), BATCH_ROWS);
    for (const kind of labels.length > 0 ? (['order', 'refund'] as const) : [])
      yield* batchesOf(await filedRecords(by, period, labels, { channel: name, kind }), BATCH_ROWS);
  }
  yield* batchesOf(await adjustmentsOf(by, period), BATCH_ROWS);
}

/** Sales of the period that no lock holds and nobody has carried. */
const salesIn = ({ workspace: { tables, entity } }: RecordedBy, { first, last }: FilingPeriod) =>
  tables
    .selectFrom('sale')
    .where('sale.entity', '=', entity)
    .where('sale.posting', '=', 'posted')
    .where('sale.business_date', '>=', first)
    .where('sale.business_date', '<=', last)
    .where(({ not, or, exists, selectFrom }) =>
      not(
        or(
          (['filed_sale', 'carried_sale'] as const).map((table) =>
            exists(
              selectFrom(table)
                .select(`${table}.key`)
                .whereRef(`${table}.entity`, '=', 'sale.entity')
                .whereRef(`${table}.key`, '=', 'sale.key'),
            ),
          ),
        ),
      ),
    );

const recordsOf = (by: RecordedBy, period: FilingPeriod, channel: string): Promise<readonly RecordedRow[]> =>
  salesIn(by, period)
    .where('sale.channel', '=', channel)
    .innerJoin('recorded', (join) =>
      join
        .onRef('recorded.entity', '=', 'sale.entity')
        .on('recorded.service', '=', by.serviceName)
        .on('recorded.provider', '=', providerOf(by.configuration, channel))
        .onRef('recorded.kind', '=', 'sale.kind')
        .onRef('recorded.id', '=', 'sale.id'),
    )
    .where(({ or, eb }) =>
      or([eb('recorded.business_date', '<', period.first), eb('recorded.business_date', '>', period.last)]),
    )
    .selectAll('recorded')
    .orderBy('recorded.kind')
    .orderBy('recorded.id')
    .execute();

/** The key of a filed sale ends with its id. */
const filedRecords = (
  { workspace: { tables, entity }, serviceName, configuration }: RecordedBy,
  { first, last }: FilingPeriod,
  labels: readonly string[],
  { channel, kind }: { readonly channel: string; readonly kind: 'order' | 'refund' },
): Promise<readonly RecordedRow[]> => {
  const start = `${channel}/${kind}/`;
  return (
    tables
      .selectFrom('filed_sale')
      .innerJoin('recorded', (join) =>
        join
          .onRef('recorded.entity', '=', 'filed_sale.entity')
          .on('recorded.service', '=', serviceName)
          .on('recorded.provider', '=', providerOf(configuration, channel))
          .on('recorded.kind', '=', kind)
          .on(({ eb, fn, ref, lit }) =>
            eb('recorded.id', '=', fn<string>('substr', [ref('filed_sale.key'), lit(start.length + 1)])),
          ),
      )
      .where('filed_sale.entity', '=', entity)
      .where('filed_sale.label', 'in', labels)
      .where('filed_sale.posting', '=', 'posted')
      .where('filed_sale.key', '>', start)
      // A zero is the character behind the slash.
      .where('filed_sale.key', '<', `${channel}/${kind}0`)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('carried_sale')
              .select('carried_sale.key')
              .whereRef('carried_sale.entity', '=', 'filed_sale.entity')
              .whereRef('carried_sale.key', '=', 'filed_sale.key'),
          ),
        ),
      )
      .where(({ or, eb }) =>
        or([eb('recorded.business_date', '<', first), eb('recorded.business_date', '>', last)]),
      )
      .selectAll('recorded')
      .orderBy('recorded.id')
      .execute()
  );
};

const adjustmentsOf = (by: RecordedBy, period: FilingPeriod): Promise<readonly RecordedRow[]> =>
  salesIn(by, period)
    .innerJoin('refund_adjustment', (join) =>
      join
        .onRef('refund_adjustment.entity', '=', 'sale.entity')
        .on('refund_adjustment.service', '=', by.serviceName)
        .onRef('refund_adjustment.key', '=', 'sale.key'),
    )
    .innerJoin('recorded', (join) =>
      join
        .onRef('recorded.entity', '=', 'refund_adjustment.entity')
        .onRef('recorded.service', '=', 'refund_adjustment.service')
        .onRef('recorded.provider', '=', 'refund_adjustment.provider')
        .on('recorded.kind', '=', 'refund')
        .onRef('recorded.id', '=', 'refund_adjustment.id'),
    )
    .where(({ or, eb }) =>
      or([eb('recorded.business_date', '<', period.first), eb('recorded.business_date', '>', period.last)]),
    )
    .selectAll('recorded')
    .orderBy('recorded.provider')
    .orderBy('recorded.id')
    .execute();
