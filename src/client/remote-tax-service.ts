import type { TaxService } from '../contract/tax-service.ts';
import { httpTaxService } from './http-tax-service.ts';
import { type PoolOptions, poolTransport } from './pool-transport.ts';
import { waitNotice } from './wait-notice.ts';
import { SILENCE_MS, withCircuit } from './with-circuit.ts';
import { withGuard, withLimit, withPace } from './with-limit.ts';
import { type Metered, withMeter } from './with-meter.ts';
import { withRest } from './with-rest.ts';
import { RETRY_DEFAULT, type RetryOptions, withRetry } from './with-retry.ts';
import { withSoundAnswers } from './with-sound-answers.ts';

export type RemoteOptions = PoolOptions & {
  readonly callsPerSecond?: number | undefined;
  readonly retry?: Partial<RetryOptions>;
  /** Asked before anything goes over the wire; what it throws ends the call. */
  readonly mayCall?: () => void;
  /** Whether the process was asked to end: from then on nothing is tried again. */
  readonly isEnding?: () => boolean;
  /** Told when the service keeps a run waiting. */
  readonly onWait?: (text: string) => void;
  /** Calls in a row that failed, from which on the service counts as out, when it is silent for so long. */
  readonly outage?: { readonly failuresMax: number; readonly silenceMs?: number };
};

export type RemoteTaxService = {
  readonly service: TaxService;
  /** What went over the wire so far, retries included. */
  readonly metered: () => Metered;
  readonly close: () => Promise<void>;
};

/**
 * A tax service at an address. From the wire inwards: every call is allowed, and measured, an outage is noticed,
 * calls are kept below a pace, the service is left alone when it asks for it, what failed in passing is tried again, no
 * more calls are under way than there are connections, and an answer that contradicts itself is not let in.
 */
export const remoteTaxService = (options: RemoteOptions): RemoteTaxService => {
  const { callsPerSecond, outage, mayCall } = options;
  const retry = { ...RETRY_DEFAULT, ...options.retry };
  const nowMs = () => performance.now();
  const pool = poolTransport(options);
  const meter = withMeter(mayCall ? withGuard(pool.send, mayCall) : pool.send, nowMs);
  const notice = options.onWait && waitNotice(options.onWait, nowMs);
  const circuit = withCircuit(notice?.watchWire(meter.send) ?? meter.send, {
    failuresMax: outage?.failuresMax ?? Number.POSITIVE_INFINITY,
    silenceMs: outage?.silenceMs ?? SILENCE_MS,
    onOutage: pool.abandon,
    nowMs,
  });
  const paced = callsPerSecond === undefined ? circuit.send : withPace(circuit.send, callsPerSecond);
  const rested = withRest(paced, { restMaxMs: retry.restMaxMs, nowMs, random: Math.random });
  const retried = withRetry(rested, retry, {
    outage: circuit.outage,
    onRetry: meter.countRetry,
    isEnding: () => options.isEnding?.() === true,
  });
  const limited = withLimit(notice?.watchCalls(retried) ?? retried, options.connections);
  return {
    service: withSoundAnswers(httpTaxService(limited, options.connections), meter.countContradiction),
    metered: meter.read,
    close: pool.close,
  };
};
