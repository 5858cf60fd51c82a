import { type CalendarDate, startOfUtcDay } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { providersReadBack } from '../../configuration/provider-of.ts';
import type { RecordName } from '../../period-sales/recorded-sale.ts';
import { listedOnly } from '../../workspace/sent-records.ts';
import type { RecordedRow } from '../../workspace/service-tables.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** A record that the service lists, with a day of the period among those for which it was listed. */
export type ListedRecord = RecordName & { readonly day: CalendarDate };

/** The stored row of such a record. */
export type ExtraRow = Omit<RecordedRow, 'entity' | 'service'>;

/** Returns the row of a record that the service lists, but says it does not have. */
export const unshownRow = ({ provider, kind, id, day }: ListedRecord): ExtraRow => ({
  provider,
  kind: `listed ${kind}`,
  id,
  instant: startOfUtcDay(day),
  business_date: day,
  body: '',
});

/**
 * Returns the records that the service listed for the period but did not show under any source. A listing may ignore
 * the source it is asked for; then a record is listed for every source but shown only for its own.
 */
export const unshownOf = async (ports: ClosePorts, period: FilingPeriod): Promise<readonly RecordName[]> => {
  const rows = await listedOnly(ports, period, providersReadBack(ports.configuration));
  // A record that is listed for several sources is one finding.
  const names = rows.map(({ provider, kind, id }) => ({
    provider,
    kind: kind === 'listed order' ? ('order' as const) : ('refund' as const),
    id,
  }));
  return [
    ...new Map(names.toReversed().map((name) => [`${name.kind}/${name.id}`, name])).values(),
  ].toReversed();
};
