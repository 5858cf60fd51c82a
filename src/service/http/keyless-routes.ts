import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../../contract/operations.ts';
import { ServiceRefusal } from '../../contract/refusal.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { withDeadline } from './routes.ts';

/** How long `/readyz` waits for the ledger: a load balancer gives up sooner than a caller. */
const BOOKS_WAIT_MS = 2_000;

/** Accounts are numbered from 1. */
const NO_ACCOUNT = 0;

/**
 * Serve what needs no key. `/healthz` reports that the process is alive, `/readyz` that it can take requests: its
 * ledger can be read and it is not ending. `/openapi.json` describes the interface.
 */
export const registerKeyless = (
  server: FastifyInstance,
  { accounts }: Ledger,
  isEnding: () => boolean,
): void => {
  server.get('/healthz', { config: { operation: 'health' } }, async () => ({ status: 'ok' }));
  server.get('/readyz', { config: { operation: 'readiness' } }, async () => {
    if (isEnding()) throw new ServiceRefusal(503, 'the service is ending');
    await withDeadline(accounts.find(NO_ACCOUNT), BOOKS_WAIT_MS);
    return { status: 'ready' };
  });
  const document = openApiDocument();
  server.get('/openapi.json', { config: { operation: 'document' } }, async () => document);
};
