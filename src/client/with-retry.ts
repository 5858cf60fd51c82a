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
