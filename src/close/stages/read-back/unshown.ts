import { type CalendarDate, startOfUtcDay } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { providersReadBack } from '../../configuration/provider-of.ts';
import type { RecordName } from '../../period-sales/recorded-sale.ts';
import { listedOnly } from '../../workspace/sent-records.ts';
import type { RecordedRow } from '../../workspace/service-tables.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** A record that the service lists, with a day of the period among those that it was listed for. */
export type ListedRecord = RecordName & { readonly day: CalendarDate };

/** What is kept of such a record. */
export type ExtraRow = Omit<RecordedRow, 'entity' | 'service'>;

/** A record that the service lists, and of which it says that there is none. */
export const unshownRow = ({ provider, kind, id, day }: ListedRecord): ExtraRow => ({
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
export const unshownOf = async (ports: ClosePorts, period: FilingPeriod): Promise<readonly RecordName[]> => {
  const rows = await listedOnly(ports, period, providersReadBack(ports.configuration));
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
