import { setTimeout as pause } from 'node:timers/promises';
import pRetry from 'p-retry';
import { TieoutError } from '../kernel/errors.ts';
import { callName, type HttpReply, NoAnswerError, type Transport } from './transport.ts';

export type RetryOptions = {
  /** Calls after the first one, at the most. */
  readonly retries: number;
  readonly firstPauseMs: number;
  readonly pauseMaxMs: number;
};

export const RETRY_DEFAULT: RetryOptions = { retries: 7, firstPauseMs: 200, pauseMaxMs: 20_000 };

/** Answers that another try may change: too many requests, and failures of the service or what stands before it. */
const PASSING = new Set([429, 500, 502, 503, 504]);

/** An answer that is worth another try, as an error, so that the one retry loop serves both. */
class PassingReply extends Error {
  readonly reply: HttpReply;
  constructor(reply: HttpReply) {
    super(`answered ${reply.status}`);
    this.reply = reply;
  }
}

/**
 * Try again what failed in passing, waiting longer each time, with jitter, and as long as the service asks. A refusal
 * is never tried again. When nothing helps, the run ends and can be resumed.
 *
 * @throws {TieoutError} E_SERVICE_UNAVAILABLE
 */
export const withRetry = (send: Transport, options: RetryOptions = RETRY_DEFAULT): Transport => {
  const { retries, firstPauseMs, pauseMaxMs } = options;
  return async (call) => {
    const attempt = async (): Promise<HttpReply> => {
      const reply = await send(call);
      if (PASSING.has(reply.status)) throw new PassingReply(reply);
      return reply;
    };
    try {
      return await pRetry(attempt, {
        retries,
        minTimeout: firstPauseMs,
        maxTimeout: pauseMaxMs,
        randomize: true,
        shouldRetry: ({ error }) => error instanceof PassingReply || error instanceof NoAnswerError,
        onFailedAttempt: async ({ error, retriesLeft }) => {
          const wanted = error instanceof PassingReply ? (error.reply.retryAfterMs ?? 0) : 0;
          if (retriesLeft > 0 && wanted > 0) await pause(Math.min(wanted, pauseMaxMs));
        },
      });
    } catch (error) {
      if (!(error instanceof PassingReply) && !(error instanceof NoAnswerError)) throw error;
      throw new TieoutError({
        code: 'E_SERVICE_UNAVAILABLE',
        recovery: 'retry',
        message: `the tax service did not serve ${callName(call)} in ${retries + 1} tries: ${error.message}`,
        nextStep: 'Run the same command again when the service is back; it goes on where it was',
        cause: error,
      });
    }
  };
};
