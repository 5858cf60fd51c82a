import type { FastifyInstance } from 'fastify';
import { ServiceRefusal } from '../../contract/refusal.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { withDeadline } from './deadline.ts';

/** A load balancer gives up sooner than a caller. */
const BOOKS_WAIT_MS = 2_000;
/** Accounts are counted from 1. */
const NO_ACCOUNT = 0;

/**
 * `/healthz` says that the process lives, `/readyz` that it may be sent requests: its books can be read and it has not been
 * asked to end. Neither needs a key.
 */
export const registerHealth = (
  server: FastifyInstance,
  { accounts }: Ledger,
  isReady: () => boolean,
): void => {
  server.get('/healthz', { config: { operation: 'health' } }, async () => ({ status: 'ok' }));
  server.get('/readyz', { config: { operation: 'readiness' } }, async () => {
    if (!isReady()) throw new ServiceRefusal(503, 'the service is ending');
    await withDeadline(accounts.find(NO_ACCOUNT), BOOKS_WAIT_MS);
    return { status: 'ready' };
  });
};
