import { type CalendarDate, startOfUtcDay } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { providersReadBack } from '../../configuration/provider-of.ts';
import type { RecordName } from '../../period-sales/recorded-sale.ts';
import type { RecordedRow } from '../../workspace/service-tables.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** A record that the service lists, with a day of the period among those that it was listed for. */
export type ListedRecord = RecordName & { readonly day: CalendarDate };

/** The kinds under which the workspace keeps what a service lists and does not show. */
const UNSHOWN = ['listed order', 'listed refund'] as const;

/** A record that the service lists, and of which it says that there is none. */
export const unshownRow = (
  { workspace, serviceName }: ClosePorts,
  { provider, kind, id, day }: ListedRecord,
): RecordedRow => ({
  entity: workspace.entity,
  service: serviceName,
  provider,
  kind: `listed ${kind}`,
  id,
  instant: startOfUtcDay(day),
  business_date: day,
  body: '',
});

/**
 * What the service listed for the period and showed under no source. A listing may take no notice of the source that it
 * is asked for; then a record is listed for each of them and shown for its own only.
 */
export const unshownOf = async (
  { workspace, serviceName, configuration }: ClosePorts,
  { first, last }: FilingPeriod,
): Promise<readonly RecordName[]> => {
  const rows = await workspace.tables
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
            .where('shown.provider', 'in', providersReadBack(configuration))
            .whereRef('shown.id', '=', 'listed.id')
            .where(({ eb, val, ref }) => eb('listed.kind', '=', eb(val('listed '), '||', ref('shown.kind')))),
        ),
      ),
    )
    .orderBy('kind')
    .orderBy('id')
    .orderBy('provider')
    .execute();
  // Listed for several sources, it is one finding.
  const names = rows.map(({ provider, kind, id }) => ({
    provider,
    kind: kind === 'listed order' ? ('order' as const) : ('refund' as const),
    id,
  }));
  return [
    ...new Map(names.toReversed().map((name) => [`${name.kind}/${name.id}`, name])).values(),
  ].toReversed();
};
