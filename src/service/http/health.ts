import type { FastifyInstance } from 'fastify';
import type { Ledger } from '../ledger/ledger.ts';

/** `/healthz` says that the process lives, `/readyz` that its books can be read. Neither needs a key. */
export const registerHealth = (server: FastifyInstance, { accounts }: Ledger): void => {
  server.get('/healthz', { config: { operation: 'health' } }, async () => ({ status: 'ok' }));
  server.get('/readyz', { config: { operation: 'readiness' } }, async () => {
    await accounts.list();
    return { status: 'ready' };
  });
};
