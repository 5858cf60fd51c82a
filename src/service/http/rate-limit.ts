import type { FastifyReply } from 'fastify';
import { ServiceRefusal } from '../../contract/refusal.ts';
import type { Clock } from '../../kernel/calendar.ts';

/** The requests of an account in the current minute of the clock, including this one, and the time left in it. */
export type RequestCount = { readonly count: number; readonly leftMs: number };
export type CountRequest = (accountId: number) => RequestCount | Promise<RequestCount>;

/** Refuses requests beyond an account's limit. @throws {ServiceRefusal} 429, with `Retry-After` set on the reply */
export type RateLimit = (accountId: number, reply: FastifyReply) => void | Promise<void>;

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

export const requestCounter = (clock: Clock): ((accountId: number) => RequestCount) => {
  let minute = Number.NaN;
  let counts = new Map<number, number>();
  return (accountId) => {
    const now = clock.now();
    const current = Math.floor(now / MINUTE_MS);
    if (current !== minute) {
      minute = current;
      counts = new Map();
    }
    const count = (counts.get(accountId) ?? 0) + 1;
    counts.set(accountId, count);
    return { count, leftMs: (minute + 1) * MINUTE_MS - now };
  };
};

/** Limit the requests per account in each minute of the clock. */
export const rateLimit = (
  countRequest: CountRequest,
  requestsPerMinuteMax: number | undefined,
): RateLimit => {
  if (requestsPerMinuteMax === undefined) return () => {};
  return async (accountId, reply) => {
    const { count, leftMs } = await countRequest(accountId);
    if (count <= requestsPerMinuteMax) return;
    reply.header('retry-after', String(Math.ceil(leftMs / SECOND_MS)));
    throw new ServiceRefusal(429, `more than ${requestsPerMinuteMax} requests in a minute`);
  };
};
