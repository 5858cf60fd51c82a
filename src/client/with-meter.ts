import type { Transport } from './transport.ts';

/** What went over the wire: for the record of a run, never for its output. */
export type Metered = {
  readonly calls: number;
  /** Answers by status; 0 counts calls without an answer. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Milliseconds within which so many hundredths of the calls were answered, to the next power of two. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
};

const BUCKETS = 24;

/** Count calls, answers and latencies. Latencies go into buckets of doubling width, so memory does not grow. */
export const withMeter = (
  send: Transport,
  nowMs: () => number,
): { readonly send: Transport; readonly read: () => Metered } => {
  const statuses: Record<string, number> = {};
  const buckets = new Array<number>(BUCKETS).fill(0);
  let calls = 0;
  const count = (status: number, startedMs: number) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    const bucket = Math.min(BUCKETS - 1, Math.ceil(Math.log2(Math.max(1, nowMs() - startedMs))));
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
  };
  const within = (share: number): number => {
    let seen = 0;
    const wanted = share * calls;
    const bucket = buckets.findIndex((size) => {
      seen += size;
      return seen >= wanted;
    });
    return calls === 0 ? 0 : 2 ** Math.max(0, bucket);
  };
  return {
    read: () => ({
      calls,
      statuses: { ...statuses },
      p50: within(0.5),
      p95: within(0.95),
      p99: within(0.99),
    }),
    send: async (call) => {
      calls += 1;
      const startedMs = nowMs();
      try {
        const reply = await send(call);
        count(reply.status, startedMs);
        return reply;
      } catch (error) {
        count(0, startedMs);
        throw error;
      }
    },
  };
};
