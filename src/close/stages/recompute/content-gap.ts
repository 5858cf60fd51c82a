import type { ContentGap } from '../../../contract/content-coverage.ts';
import type { Sale } from '../../sales/sale.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** What the tax content lacks at the place of a sale; `undefined` where it is complete, or the service does not say. */
export const gapAt = (
  { service, configuration }: Pick<ClosePorts, 'service' | 'configuration'>,
  sale: Sale,
): ContentGap | undefined => {
  const { shipFrom, registrations } = configuration;
  const { state } = sale.shipTo;
  // One rate for the whole state stands in for all that may be missing.
  const hasOneRate =
    state !== shipFrom.state && registrations.some((one) => one.state === state && one.oneRate);
  return hasOneRate
    ? undefined
    : service.coverage?.gapAt({ from: shipFrom, to: sale.shipTo, day: sale.taxDate });
};
