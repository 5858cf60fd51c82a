import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import pThrottle from 'p-throttle';
import { ServiceRefusal } from '../contract/refusal.ts';
import { contradictionOf } from '../contract/tax-result.ts';
import type { TaxService } from '../contract/tax-service.ts';
import { TieoutError } from '../kernel/errors.ts';
import { shownNumber } from '../kernel/text.ts';
import {
  callName,
  type HttpCall,
  type HttpReply,
  httpTaxService,
  NoAnswerError,
  type PoolOptions,
  poolTransport,
  type Transport,
} from './http-tax-service.ts';

export type RemoteOptions = PoolOptions & {
  readonly callsPerSecond?: number | undefined;
  readonly retry?: Partial<RetryOptions>;
  /** Called before each HTTP call; if it throws, the call ends. */
  readonly mayCall?: () => void;
};

/**
 * Build the tax service at an address. From the wire inwards: every call is checked by `mayCall`, calls are paced,
 * `Retry-After` is respected, temporary failures are retried, calls in flight are limited to the number of connections,
 * answers of another tax content than the first one are refused, and so are answers that contradict themselves.
 *
 * @throws {TieoutError} E_SERVICE_CHANGED: answers are kept under the name of the content, and while a service is restarted
 * process by process, some come from the old content and some from the new one
 */
export const remoteTaxService = (options: RemoteOptions) => {
  const { callsPerSecond, mayCall, url, connections } = options;
  const pool = poolTransport(options);
  const wire: Transport = async (call) => {
    mayCall?.();
    return pool.send(call);
  };
  // Calls are spread evenly over a second, so that a limit of the service is never reached.
  const paced =
    callsPerSecond === undefined ? wire : pThrottle({ limit: 1, interval: 1000 / callsPerSecond })(wire);
  const retried = withRetry(paced, { ...RETRY_DEFAULT, onOutage: pool.abandon, ...options.retry });
  const gate = pLimit(connections);
  let named: string | undefined;
  const service = httpTaxService(async (call) => {
    const reply = await gate(() => retried(call));
    named ??= reply.content;
    if (reply.content === undefined || reply.content === named) return reply;
    throw new TieoutError({
      code: 'E_SERVICE_CHANGED',
      message: `the tax content of ${url} changed during the run, from ${named} to ${reply.content}: nothing of the new answers is kept`,
      nextStep:
        'Run the same command again when every process of the service has the same content; what the old one answered is calculated again',
    });
  }, connections);
  return {
    service: withSoundAnswers(service),
    /** The tax content that the service names; `undefined` if it named none. */
    contentName: () => named,
    close: pool.close,
  };
};

/**
 * Refuse calculations that contradict themselves.
 *
 * @throws {ServiceRefusal} 200, because the answer is not a calculation
 */
const withSoundAnswers = (service: TaxService): TaxService => ({
  ...service,
  calculateTax: async (request) => {
    const answer = await service.calculateTax(request);
    const why = contradictionOf(answer, request);
    if (why === undefined) return answer;
    throw new ServiceRefusal(
      200,
      `its answer contradicts itself: ${why}. Nothing of it is used; show it to the provider of the service and close again`,
      'OK',
    );
  },
});

export type RetryOptions = {
  /** Maximum number of calls after the first one. */
  readonly retries: number;
  readonly firstPauseMs: number;
  readonly pauseMaxMs: number;
  /** If a service asks for a longer pause than this, the run ends and can be resumed. */
  readonly restMaxMs: number;
  /** Aborted when the process is asked to end: then no pause is waited out, and failures are not retried any more. */
  readonly ending?: AbortSignal | undefined;
  /** Called when a call has failed for good, and every other call with it. */
  readonly onOutage?: () => void;
  /** Called with a message when a pause keeps a run waiting for long. */
  readonly onWait?: ((text: string) => void) | undefined;
};

export const RETRY_DEFAULT: RetryOptions = {
  retries: 7,
  firstPauseMs: 200,
  pauseMaxMs: 20_000,
  restMaxMs: 120_000,
};

/** Answers that a retry may change: too many requests, and failures of the service or of a proxy in front of it. */
const PASSING = new Set([429, 500, 502, 503, 504]);

/** Calls that waited together do not restart together: they are spread over this part of their pause. */
const SPREAD = 0.25;

/** A shorter pause is not reported. */
const TOLD_MS = 3_000;

/** How often a call looks whether a pause that another one was asked for is still to be held. */
const LOOK_MS = 50;

/** A call without an answer, or with one that a retry may change. */
type Failure = {
  readonly said: string;
  /** The pause that the service asks for; 0 if it asks for none. */
  readonly restMs: number;
  readonly isBusy: boolean;
  readonly cause?: unknown;
};

/**
 * Retry temporary failures with growing pauses and jitter. A refusal is never retried.
 *
 * `Retry-After` concerns the whole account: no call is sent until then, unless the service serves another call of the
 * account meanwhile. As long as it serves others, a call that it refuses with 429 is tried on.
 *
 * When the retries of a call are used up, the service is out: every call ends with the same error, and the run with them,
 * to be resumed later.
 *
 * @throws {TieoutError} E_SERVICE_UNAVAILABLE
 */
export const withRetry = (send: Transport, options: RetryOptions): Transport => {
  const { retries, firstPauseMs, pauseMaxMs, restMaxMs, ending, onWait, onOutage } = options;
  const outage = new AbortController();
  const waking = AbortSignal.any([outage.signal, ...(ending ? [ending] : [])]);
  setMaxListeners(0, outage.signal, waking);
  let restUntilMs = 0;
  let toldUntilMs = 0;
  let served = 0;
  const sleep = (ms: number) => pause(ms, undefined, { signal: waking }).catch(() => {});
  const rest = async (): Promise<void> => {
    for (let left = restUntilMs - performance.now(); left > 0 && !waking.aborted; ) {
      await sleep(Math.min(left, LOOK_MS));
      left = restUntilMs - performance.now();
    }
  };
  const waitAfter = async ({ said, restMs }: Failure, retried: number): Promise<void> => {
    const ownMs = Math.min(pauseMaxMs, firstPauseMs * 2 ** retried * (1 + Math.random()));
    const ms = restMs === 0 ? ownMs : restMs * (1 + SPREAD * Math.random());
    const now = performance.now();
    restUntilMs = Math.max(restUntilMs, now + restMs);
    if (ms >= TOLD_MS && now >= toldUntilMs) {
      toldUntilMs = now + ms;
      onWait?.(`the tax service ${said}; it is asked again in ${Math.ceil(ms / 1000)} s`);
    }
    await sleep(ms);
  };

  return async (call) => {
    let retried = 0;
    for (let tries = 1; ; tries += 1) {
      await rest();
      outage.signal.throwIfAborted();
      const servedBefore = served;
      const reply = await send(call).catch(asFailure);
      if ('status' in reply && !PASSING.has(reply.status)) {
        restUntilMs = 0;
        served += 1;
        return reply;
      }
      outage.signal.throwIfAborted();
      const failure = 'status' in reply ? failureOf(reply) : reply;
      const isHopeless = ending?.aborted || failure.restMs > restMaxMs;
      const isFree = failure.isBusy && served !== servedBefore;
      if (isHopeless || (retried === retries && !isFree)) {
        const error = unavailable(call, tries, failure);
        outage.abort(error);
        onOutage?.();
        throw error;
      }
      await waitAfter(failure, retried);
      if (!isFree) retried += 1;
    }
  };
};

const asFailure = (error: unknown): Failure => {
  if (!(error instanceof NoAnswerError)) throw error;
  return { said: error.message, restMs: 0, isBusy: false, cause: error };
};

const failureOf = ({ status, retryAfterMs = 0 }: HttpReply): Failure => ({
  said: `answered ${status}`,
  restMs: retryAfterMs,
  isBusy: status === 429,
});

const unavailable = (call: HttpCall, tries: number, { said, restMs, cause }: Failure): TieoutError => {
  const wish = restMs === 0 ? '' : `, and wants to be left alone for ${Math.ceil(restMs / 1000)} s`;
  return new TieoutError({
    code: 'E_SERVICE_UNAVAILABLE',
    message: `the tax service did not serve ${callName(call)} in ${shownNumber(tries, 'try', 'tries')}: ${said}${wish}`,
    nextStep:
      'Check that the service runs and that its address is right (where it is slow, raise `service.timeoutSeconds`), then run the same command again; it continues where it stopped',
    cause,
  });
};
