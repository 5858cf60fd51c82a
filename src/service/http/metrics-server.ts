import fastify, { type FastifyInstance } from 'fastify';
import { listening } from './listening.ts';
import type { ReadMetrics } from './metrics.ts';

/**
 * Serve the metrics at `/metrics`, apart from the interface, so that anyone who may read them needs no key and anyone who
 * has a key need not see them.
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
