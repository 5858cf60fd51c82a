import type { ContentGap } from '../../../contract/content-coverage.ts';
import type { Sale } from '../../sales/sale.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** What the tax content lacks at the place of a sale; `undefined` where it is complete, or the service does not say. */
export const gapAt = (
  { service, configuration }: Pick<ClosePorts, 'service' | 'configuration'>,
  sale: Sale,
): ContentGap | undefined =>
  service.coverage?.gapAt({ from: configuration.shipFrom, to: sale.shipTo, day: sale.taxDate });
