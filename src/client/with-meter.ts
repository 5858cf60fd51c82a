import type { Transport } from './transport.ts';

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
  /** Milliseconds within which 50, 95 and 99 % of the calls were answered, overstated by a tenth at most. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
};

export type Meter = {
  readonly send: Transport;
  readonly countRetry: () => void;
  readonly countContradiction: () => void;
  readonly read: () => Metered;
};

/** Each latency bucket is a tenth wider than the one before, and the last one begins at two hours. */
const WIDTH = 1.1;
const BUCKETS = 168;

/** Count calls, answers and latencies. Latencies go into buckets of growing width, so memory does not grow. */
export const withMeter = (send: Transport, nowMs: () => number): Meter => {
  const statuses: Record<string, number> = {};
  const buckets = new Array<number>(BUCKETS).fill(0);
  let calls = 0;
  let retries = 0;
  let contradictions = 0;
  const count = (status: number, startedMs: number) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    const bucket = Math.ceil(Math.log(Math.max(1, nowMs() - startedMs)) / Math.log(WIDTH));
    const index = Math.min(BUCKETS - 1, bucket);
    buckets[index] = (buckets[index] ?? 0) + 1;
  };
  const within = (share: number): number => {
    let seen = 0;
    const wanted = share * buckets.reduce((total, size) => total + size, 0);
    if (wanted === 0) return 0;
    const bucket = buckets.findIndex((size) => {
      seen += size;
      return seen >= wanted;
    });
    return Math.ceil(WIDTH ** Math.max(0, bucket));
  };
  return {
    countRetry: () => {
      retries += 1;
    },
    countContradiction: () => {
      contradictions += 1;
    },
    read: () => ({
      calls,
      retries,
      contradictions,
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
