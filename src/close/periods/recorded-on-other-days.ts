import type { FilingPeriod } from '../../kernel/period.ts';
import { batchesOf } from '../../runtime/batches.ts';
import { providerOf } from '../configuration/provider-of.ts';
import type { RecordedRow } from '../workspace/service-tables.ts';
import { BATCH_ROWS } from '../workspace/workspace.ts';
import type { RecordedBy } from './recorded-of-period.ts';

/**
 * What the service holds of the sales of a period under days outside it, in pages: refunds whose exports gave them
 * another day after they were recorded, which nothing can update, and their adjustments. What is filed or carried is
 * none of it.
 */
export async function* recordedOnOtherDays(
  by: RecordedBy,
  period: FilingPeriod,
): AsyncGenerator<readonly RecordedRow[]> {
  for (const { name } of by.configuration.channels)
    yield* batchesOf(await recordsOf(by, period, name), BATCH_ROWS);
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
