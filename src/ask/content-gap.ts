import type { Sale } from '../close/sales/sale.ts';
import type { ContentGap } from '../contract/tax-service.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/**
 * Returns what the tax content lacks at the place of a sale; `undefined` if it is complete, or the service does not
 * say.
 */
export const gapAt = (
  { service, configuration }: Pick<ClosePorts, 'service' | 'configuration'>,
  sale: Sale,
): ContentGap | undefined => {
  const { shipFrom, registrations } = configuration;
  const { state } = sale.shipTo;
  // A single rate for the whole state replaces all local rates that may be missing.
  const hasOneRate =
    state !== shipFrom.state && registrations.some((one) => one.state === state && one.oneRate);
  return hasOneRate
    ? undefined
    : service.coverage?.gapAt({ from: shipFrom, to: sale.shipTo, day: sale.taxDate });
};
