import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which operation of the interface a route answers; the only thing of a request that metrics and logs name. */
    operation?: string;
  }
}

/** What the service counts, in the form that Prometheus reads. No label ever names an account, an id or a key. */
export type Metrics = {
  readonly observe: (server: FastifyInstance) => void;
  /** So many writes were committed together. */
  readonly countGroup: (writes: number) => void;
  readonly contentType: string;
  readonly text: () => Promise<string>;
};

/** What is asked that is not an operation of the interface. */
export const NO_OPERATION = 'none';
const SECOND_MS = 1_000;
const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const GROUP_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000];
const BILLED: ReadonlySet<string> = new Set(['calculateTax', 'showRates']);

export const serviceMetrics = (): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'tieout_http_requests_total',
    help: 'Requests answered, by operation and status.',
    labelNames: ['operation', 'status'] as const,
    registers,
  });
  const latency = new Histogram({
    name: 'tieout_http_request_duration_seconds',
    help: 'From the head of a request to the end of its answer, by operation.',
    labelNames: ['operation'] as const,
    buckets: LATENCY_BUCKETS,
    registers,
  });
  const inFlight = new Gauge({
    name: 'tieout_http_requests_in_flight',
    help: 'Requests that are not answered yet.',
    registers,
  });
  const calculations = new Counter({
    name: 'tieout_calculations_total',
    help: 'Calculations and look-ups of rates that were answered, and so count against a plan.',
    registers,
  });
  const groups = new Histogram({
    name: 'tieout_ledger_group_writes',
    help: 'Writes that were committed together; the count is the number of groups.',
    buckets: GROUP_BUCKETS,
    registers,
  });
  const latencies = new Map<string, Histogram.Internal<'operation'>>();
  const latencyOf = (operation: string): Histogram.Internal<'operation'> => {
    const known = latencies.get(operation) ?? latency.labels(operation);
    latencies.set(operation, known);
    return known;
  };
  return {
    observe: (server) => {
      server.addHook('onRequest', (_, reply, done) => {
        inFlight.inc();
        // The connection may close before the answer is complete, and that ends the request, too.
        reply.raw.once('close', () => inFlight.dec());
        done();
      });
      server.addHook('onResponse', (request, reply, done) => {
        const operation = request.routeOptions.config.operation ?? NO_OPERATION;
        requests.inc({ operation, status: reply.statusCode });
        latencyOf(operation).observe(reply.elapsedTime / SECOND_MS);
        if (reply.statusCode === 200 && BILLED.has(operation)) calculations.inc();
        done();
      });
    },
    countGroup: (writes) => groups.observe(writes),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
};
