import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { listening } from './refusals.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation of the interface that a route answers; the only part of a request that metrics and logs name. */
    operation?: string;
  }
}

/** The metrics of the service in the format of Prometheus. No label ever names an account, an id or a key. */
export type Metrics = ReturnType<typeof serviceMetrics>;

type ReadMetrics = { readonly contentType: string; readonly text: () => Promise<string> };

/** The label of requests that are not for an operation of the interface. */
export const NO_OPERATION = 'none';
const SECOND_MS = 1_000;
const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const BILLED: ReadonlySet<string> = new Set(['calculateTax', 'showRates']);

/**
 * Create the metrics. With a number, they are those of one of several processes, which `processesMetrics` gathers;
 * their series are labelled with that number.
 */
export const serviceMetrics = (process?: number) => {
  const registry = new Registry();
  if (process !== undefined) {
    registry.setDefaultLabels({ process: String(process) });
    AggregatorRegistry.setRegistries([registry]);
  }
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
    help: 'Calculations and look-ups of rates that were answered.',
    registers,
  });
  const overload = new Counter({
    name: 'tieout_http_overload_refusals_total',
    help: 'Requests refused with 503 because too many were waiting.',
    registers,
  });
  return {
    observe: (server: FastifyInstance): void => {
      server.addHook('onRequest', (_, reply, done) => {
        inFlight.inc();
        // The connection may close before the answer is complete, which ends the request, too.
        reply.raw.once('close', () => inFlight.dec());
        done();
      });
      server.addHook('onResponse', (request, reply, done) => {
        const operation = request.routeOptions.config.operation ?? NO_OPERATION;
        requests.inc({ operation, status: reply.statusCode });
        latency.observe({ operation }, reply.elapsedTime / SECOND_MS);
        if (reply.statusCode === 200 && BILLED.has(operation)) calculations.inc();
        done();
      });
    },
    /** Count a request that was refused because too many were waiting. */
    countOverload: () => overload.inc(),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
};

/**
 * Answer the requests of the parent process for metrics, because it waits for every process. Before `serviceMetrics` is
 * called, the answer is empty.
 */
export const answerMetricsOfParent = (): void => void new AggregatorRegistry();

/** The metrics of all processes together. Each series has the number of its process, so none of them is summed. */
export const processesMetrics = (): ReadMetrics => {
  const processes = new AggregatorRegistry();
  return { contentType: processes.contentType, text: () => processes.clusterMetrics() };
};

/**
 * Serve the metrics at `/metrics`, separately from the interface: reading them needs no key, and a key does not give
 * access to them.
 *
 * @throws {TieoutError} E_SERVE_ADDRESS
 */
export const startMetricsServer = async (
  metrics: ReadMetrics,
  address: { readonly host: string; readonly port: number },
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> => {
  const server = fastify({ logger: false, forceCloseConnections: true }) as unknown as FastifyInstance;
  server.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.text()));
  const url = new URL(await listening(server, address.host, address.port));
  url.pathname = '/metrics';
  return { url: url.toString(), stop: () => server.close() };
};
