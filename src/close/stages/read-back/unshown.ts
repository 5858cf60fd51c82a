import type { FilingPeriod } from '../../../kernel/period.ts';
import { providersReadBack } from '../../configuration/provider-of.ts';
import type { RecordName } from '../../period-sales/recorded-sale.ts';
import { listedOnly } from '../../workspace/sent-records.ts';
import type { ClosePorts } from '../run/close-ports.ts';

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
