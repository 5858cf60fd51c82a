import type { TaxService } from '../contract/tax-service.ts';
import { httpTaxService } from './http-tax-service.ts';
import { type PoolOptions, poolTransport } from './pool-transport.ts';
import { type Metered, withMeter } from './with-meter.ts';
import { withPace } from './with-pace.ts';
import { type RetryOptions, withRetry } from './with-retry.ts';

export type RemoteOptions = PoolOptions & {
  readonly callsPerSecond?: number | undefined;
  readonly retry?: RetryOptions;
};

export type RemoteTaxService = {
  readonly service: TaxService;
  /** What went over the wire so far, retries included. */
  readonly metered: () => Metered;
  readonly close: () => Promise<void>;
};

/** A tax service at an address: every call measured, kept below a pace, and tried again while that can help. */
export const remoteTaxService = (options: RemoteOptions): RemoteTaxService => {
  const pool = poolTransport(options);
  const meter = withMeter(pool.send, () => performance.now());
  const paced =
    options.callsPerSecond === undefined ? meter.send : withPace(meter.send, options.callsPerSecond);
  return {
    service: httpTaxService(withRetry(paced, options.retry)),
    metered: meter.read,
    close: pool.close,
  };
};
