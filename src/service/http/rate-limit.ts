import type { FastifyReply } from 'fastify';
import { ServiceRefusal } from '../../contract/refusal.ts';
import type { Clock } from '../../kernel/clock.ts';

/** Count one request of an account. @throws {ServiceRefusal} 429, with `Retry-After` set on the reply */
export type RateLimit = (accountId: number, reply: FastifyReply) => void;

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/** So many requests per account in each minute of the clock. */
export const rateLimit = (clock: Clock, requestsPerMinuteMax: number | undefined): RateLimit => {
  if (requestsPerMinuteMax === undefined) return () => {};
  let minute = Number.NaN;
  let counts = new Map<number, number>();
  return (accountId, reply) => {
    const now = clock.now();
    const current = Math.floor(now / MINUTE_MS);
    if (current !== minute) {
      minute = current;
      counts = new Map();
    }
    const count = (counts.get(accountId) ?? 0) + 1;
    counts.set(accountId, count);
    if (count <= requestsPerMinuteMax) return;
    const waitSeconds = Math.ceil(((minute + 1) * MINUTE_MS - now) / SECOND_MS);
    reply.header('retry-after', String(waitSeconds));
    throw new ServiceRefusal(429, `more than ${requestsPerMinuteMax} requests in a minute`);
  };
};
