import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import pRetry from 'p-retry';
import { TieoutError } from '../kernel/errors.ts';
import { callName, type HttpCall, type HttpReply, NoAnswerError, type Transport } from './transport.ts';

export type RetryOptions = {
  /** Maximum number of calls after the first one. */
  readonly retries: number;
  readonly firstPauseMs: number;
  readonly pauseMaxMs: number;
  /** If a service asks for a longer pause than this, the run ends and can be resumed. */
  readonly restMaxMs: number;
};

export const RETRY_DEFAULT: RetryOptions = {
  retries: 7,
  firstPauseMs: 200,
  pauseMaxMs: 20_000,
  restMaxMs: 120_000,
};

/** Answers that a retry may change: too many requests, and failures of the service or of a proxy in front of it. */
const PASSING = new Set([429, 500, 502, 503, 504]);

/** An answer that should be retried, as an error, so that one retry loop handles both. */
class PassingReply extends Error {
  readonly reply: HttpReply;
  constructor(reply: HttpReply) {
    super(`answered ${reply.status}`);
    this.reply = reply;
  }
}

/**
 * Retry temporary failures with growing pauses and jitter. A call that succeeds at once, as nearly all do, has almost
 * no overhead. A refusal is never retried. When retries are used up, or `outage` says that the service is out, the run
 * ends and can be resumed.
 *
 * @throws {TieoutError} E_SERVICE_UNAVAILABLE
 */
export const withRetry = (
  send: Transport,
  options: RetryOptions,
  watch: {
    readonly outage?: AbortSignal;
    readonly onRetry?: () => void;
    /** The process was asked to end: failures are not retried any more, because someone is waiting for the end. */
    readonly isEnding?: () => boolean;
  } = {},
): Transport => {
  const { retries, firstPauseMs, pauseMaxMs } = options;
  return async (call) => {
    let tries = 0;
    const attempt = async (): Promise<HttpReply> => {
      tries += 1;
      if (tries > 1) watch.onRetry?.();
      const reply = await send(call);
      if (PASSING.has(reply.status)) throw new PassingReply(reply);
      return reply;
    };
    const first = attempt();
    const reply = await first.catch(() => undefined);
    if (reply) return reply;
    try {
      return await pRetry((number) => (number === 1 ? first : attempt()), {
        retries,
        minTimeout: firstPauseMs,
        maxTimeout: pauseMaxMs,
        randomize: true,
        ...(watch.outage && { signal: watch.outage }),
        shouldRetry: ({ error }) => watch.isEnding?.() !== true && mayHelp(error, call, options),
      });
    } catch (error) {
      if (!(error instanceof PassingReply) && !(error instanceof NoAnswerError)) throw error;
      throw unavailable(call, tries, error);
    }
  };
};

const mayHelp = (error: unknown, call: HttpCall, { restMaxMs }: RetryOptions): boolean => {
  if (error instanceof NoAnswerError) return !(error.isTimeout && call.isDivisible === true);
  return error instanceof PassingReply && (error.reply.retryAfterMs ?? 0) <= restMaxMs;
};

const unavailable = (call: HttpCall, tries: number, error: PassingReply | NoAnswerError): TieoutError => {
  const retryAfterMs = error instanceof PassingReply ? error.reply.retryAfterMs : undefined;
  const wish =
    retryAfterMs === undefined ? '' : `, and wants to be left alone for ${Math.ceil(retryAfterMs / 1000)} s`;
  const often = tries === 1 ? '1 try' : `${tries} tries`;
  return new TieoutError({
    code: 'E_SERVICE_UNAVAILABLE',
    message: `the tax service did not serve ${callName(call)} in ${often}: ${error.message}${wish}`,
    nextStep:
      error instanceof NoAnswerError
        ? 'Check that the service runs and that its address is right, then run the same command again; it continues where it stopped'
        : 'Run the same command again when the service is back; it continues where it stopped',
    cause: error,
  });
};

export type RestOptions = {
  /** A longer rest than this is not waited for. */
  readonly restMaxMs: number;
  readonly nowMs: () => number;
  readonly random: () => number;
};

/** Calls that waited together do not restart together: they are spread over this part of the rest. */
const SPREAD = 0.25;

/**
 * Respect `Retry-After`, which concerns the whole account: until then no call is sent, whether it was refused or is
 * new.
 */
export const withRetryAfter = (send: Transport, { restMaxMs, nowMs, random }: RestOptions): Transport => {
  let untilMs = 0;
  let lengthMs = 0;
  return async (call) => {
    for (let leftMs = untilMs - nowMs(); leftMs > 0; leftMs = untilMs - nowMs())
      await pause(leftMs + random() * SPREAD * lengthMs);
    const reply = await send(call);
    const wantedMs = reply.retryAfterMs ?? 0;
    if (wantedMs > 0 && wantedMs <= restMaxMs && nowMs() + wantedMs > untilMs) {
      untilMs = nowMs() + wantedMs;
      lengthMs = wantedMs;
    }
    return reply;
  };
};

export type CircuitOptions = {
  /** The number of failed calls in a row, over all connections, after which the service is out. */
  readonly failuresMax: number;
  /** Without a success for this long, too, so that a restart of the service does not end a run. */
  readonly silenceMs: number;
  /** Called once, when the service is out. */
  readonly onOutage: () => void;
  readonly nowMs: () => number;
};

export const SILENCE_MS = 5_000;

export type Circuit = {
  readonly send: Transport;
  /** Aborted when the service is out, with the error that ends the run. */
  readonly outage: AbortSignal;
};

/** From this status on, an answer means a fault of the service and not of the call. */
const SERVICE_FAILED = 500;

/**
 * Detect an outage (circuit breaker). After a single failure other calls may succeed; but when one after the other
 * fails, waiting for all retries is pointless: every call ends at once, and the run with them, to be resumed later.
 */
export const withCircuit = (send: Transport, options: CircuitOptions): Circuit => {
  const { failuresMax, silenceMs, onOutage, nowMs } = options;
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  let failures = 0;
  let answeredMs = nowMs();
  const answered = (): void => {
    failures = 0;
    answeredMs = nowMs();
  };
  const failed = (problem: string): void => {
    failures += 1;
    if (failures < failuresMax || nowMs() - answeredMs < silenceMs || controller.signal.aborted) return;
    controller.abort(outageError(failures, problem));
    onOutage();
  };
  return {
    outage: controller.signal,
    send: async (call) => {
      controller.signal.throwIfAborted();
      try {
        const reply = await send(call);
        if (reply.status >= SERVICE_FAILED) failed(`answered ${reply.status}`);
        else answered();
        return reply;
      } catch (error) {
        if (error instanceof NoAnswerError) failed(error.message);
        throw error;
      }
    },
  };
};

const outageError = (failures: number, problem: string): TieoutError =>
  new TieoutError({
    code: 'E_SERVICE_UNAVAILABLE',
    message: `the tax service is out: ${failures} calls in a row failed, the last one with: ${problem}`,
    nextStep: 'Run the same command again when the service is back; it continues where it stopped',
    details: { isOutage: true },
  });

/** Measurements of the calls: for the record of a run, never for its output. */
export type Metered = {
  /** Requests sent, every try counted. */
  readonly calls: number;
  /** How many of them were retries. */
  readonly retries: number;
  /** Answers that contradicted themselves and were not used. */
  readonly contradictions: number;
  /** Answers by status; 0 counts calls without an answer. */
  readonly statuses: Readonly<Record<string, number>>;
};

export type Meter = {
  readonly send: Transport;
  readonly countRetry: () => void;
  readonly countContradiction: () => void;
  readonly read: () => Metered;
};

/**
 * Count calls and answers.
 *
 * @param mayCall called before every call; it throws when the call may no longer be made
 */
export const withMeter = (send: Transport, mayCall: () => void = () => {}): Meter => {
  const statuses: Record<string, number> = {};
  let calls = 0;
  let retries = 0;
  let contradictions = 0;
  const count = (status: number) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  return {
    countRetry: () => {
      retries += 1;
    },
    countContradiction: () => {
      contradictions += 1;
    },
    read: () => ({ calls, retries, contradictions, statuses: { ...statuses } }),
    send: async (call) => {
      mayCall();
      calls += 1;
      try {
        const reply = await send(call);
        count(reply.status);
        return reply;
      } catch (error) {
        count(0);
        throw error;
      }
    },
  };
};
