import pLimit from 'p-limit';
import pThrottle from 'p-throttle';
import { ServiceRefusal } from '../contract/refusal.ts';
import { contradictionOf } from '../contract/tax-result.ts';
import type { TaxService } from '../contract/tax-service.ts';
import { TieoutError } from '../kernel/errors.ts';
import {
  type Metered,
  RETRY_DEFAULT,
  type RetryOptions,
  SILENCE_MS,
  withCircuit,
  withMeter,
  withRetry,
  withRetryAfter,
} from './calls.ts';
import { httpTaxService } from './http-tax-service.ts';
import { NoAnswerError, type PoolOptions, poolTransport, type Transport } from './transport.ts';

export type RemoteOptions = PoolOptions & {
  readonly callsPerSecond?: number | undefined;
  readonly retry?: Partial<RetryOptions>;
  /** Called before each HTTP call; if it throws, the call ends. */
  readonly mayCall?: () => void;
  /** Whether the process was asked to end: from then on failed calls are not retried. */
  readonly isEnding?: () => boolean;
  /** Called with a message when the service keeps a run waiting. */
  readonly onWait?: (text: string) => void;
  /** The service is out after `failuresMax` failed calls in a row, if no call has succeeded for `silenceMs`. */
  readonly outage?: { readonly failuresMax: number; readonly silenceMs?: number };
};

export type RemoteTaxService = {
  readonly service: TaxService;
  /** Measurements of all calls so far, retries included. */
  readonly metered: () => Metered;
  /** The tax content that the service names; `undefined` if it named none. */
  readonly contentName: () => string | undefined;
  readonly close: () => Promise<void>;
};

/**
 * Build the tax service at an address. From the wire inwards: every call is checked by `mayCall` and measured, an
 * outage is detected, calls are paced, `Retry-After` is respected, temporary failures are retried, calls in flight are
 * limited to the number of connections, answers of another tax content than the first one are refused, and so are
 * answers that contradict themselves.
 */
export const remoteTaxService = (options: RemoteOptions): RemoteTaxService => {
  const { callsPerSecond, outage, mayCall } = options;
  const retry = { ...RETRY_DEFAULT, ...options.retry };
  const nowMs = () => performance.now();
  const pool = poolTransport(options);
  const meter = withMeter(pool.send, mayCall);
  const notice = options.onWait && waitNotice(options.onWait, nowMs);
  const circuit = withCircuit(notice?.watchWire(meter.send) ?? meter.send, {
    failuresMax: outage?.failuresMax ?? Number.POSITIVE_INFINITY,
    silenceMs: outage?.silenceMs ?? SILENCE_MS,
    onOutage: pool.abandon,
    nowMs,
  });
  // Calls are spread evenly over a second, so that a limit of the service is never reached.
  const paced =
    callsPerSecond === undefined
      ? circuit.send
      : pThrottle({ limit: 1, interval: 1000 / callsPerSecond })(circuit.send);
  const rested = withRetryAfter(paced, { restMaxMs: retry.restMaxMs, nowMs, random: Math.random });
  const retried = withRetry(rested, retry, {
    outage: circuit.outage,
    onRetry: meter.countRetry,
    isEnding: () => options.isEnding?.() === true,
  });
  const limited = withLimit(notice?.watchCalls(retried) ?? retried, options.connections);
  const named = withOneContent(limited, options.url);
  return {
    service: withSoundAnswers(httpTaxService(named.send, options.connections), meter.countContradiction),
    metered: meter.read,
    contentName: named.read,
    close: pool.close,
  };
};

/** Limit the calls in flight, regardless of the number of callers; a call that is retried still counts. */
export const withLimit = (send: Transport, callsAtOnce: number): Transport => {
  const gate = pLimit(callsAtOnce);
  return (call) => gate(() => send(call));
};

/**
 * Remember the tax content that the service names first, and refuse an answer that names another one: answers are kept
 * under the name, and while a service is restarted process by process, some come from the old content and some from the
 * new one.
 *
 * @throws {TieoutError} E_SERVICE_CHANGED
 */
const withOneContent = (
  send: Transport,
  url: string,
): { readonly send: Transport; readonly read: () => string | undefined } => {
  let named: string | undefined;
  return {
    send: async (call) => {
      const reply = await send(call);
      named ??= reply.content;
      if (reply.content !== undefined && reply.content !== named)
        throw contentChanged(url, named, reply.content);
      return reply;
    },
    read: () => named,
  };
};

const contentChanged = (url: string, before: string | undefined, now: string): TieoutError =>
  new TieoutError({
    code: 'E_SERVICE_CHANGED',
    message: `the tax content of ${url} changed during the run, from ${before} to ${now}: nothing of the new answers is kept`,
    nextStep:
      'Run the same command again when every process of the service has the same content; what the old one answered is calculated again',
  });

/**
 * Refuse calculations that contradict themselves: request such a calculation once more, and refuse it when the second
 * answer contradicts itself too. `onContradiction` is called for each such answer.
 *
 * @throws {ServiceRefusal} 200, because the answer is not a calculation
 */
export const withSoundAnswers = (service: TaxService, onContradiction: () => void): TaxService => ({
  ...service,
  calculateTax: async (request) => {
    const first = await service.calculateTax(request);
    if (contradictionOf(first, request) === undefined) return first;
    onContradiction();
    const second = await service.calculateTax(request);
    const why = contradictionOf(second, request);
    if (why === undefined) return second;
    onContradiction();
    throw new ServiceRefusal(
      200,
      `its answer contradicts itself, asked twice: ${why}. Nothing of it is used; show it to the provider of the service and close again`,
      'OK',
    );
  },
});

type Notice = {
  /** Records the answers of the wire; wrap it directly around the wire. */
  readonly watchWire: (send: Transport) => Transport;
  /** Records the calls in flight; wrap it around everything that waits or retries. */
  readonly watchCalls: (send: Transport) => Transport;
};

/** A shorter wait is not reported. */
const FIRST_MS = 3_000;

const LOOK_MS = 500;

/**
 * Report when calls are in flight and none has returned for three seconds: the service is slow, asks for a pause, or
 * fails and is retried. The report is repeated each time the wait has doubled.
 */
export const waitNotice = (tell: (text: string) => void, nowMs: () => number): Notice => {
  let underWay = 0;
  let lastMs = 0;
  let nextMs = FIRST_MS;
  let reason = '';
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const waitedMs = nowMs() - lastMs;
    if (waitedMs < nextMs) return;
    tell(`waiting for the tax service for ${Math.round(waitedMs / 1000)} s${reason}`);
    nextMs = waitedMs * 2;
  };
  const moved = (): void => {
    lastMs = nowMs();
    nextMs = FIRST_MS;
  };
  const began = (): void => {
    if (underWay === 0) {
      moved();
      timer = setInterval(look, LOOK_MS).unref();
    }
    underWay += 1;
  };
  const ended = (): void => {
    underWay -= 1;
    moved();
    reason = '';
    if (underWay === 0) clearInterval(timer);
  };
  return {
    watchWire: (send) => async (call) => {
      try {
        const reply = await send(call);
        if (reply.status === 429) reason = ': it asks for a pause (429)';
        else if (reply.status >= 500) reason = `: it answered ${reply.status} and is asked again`;
        return reply;
      } catch (error) {
        if (error instanceof NoAnswerError) reason = `: ${error.message}; it is asked again`;
        throw error;
      }
    },
    watchCalls: (send) => async (call) => {
      began();
      try {
        return await send(call);
      } finally {
        ended();
      }
    },
  };
};
