import type { FastifyInstance } from 'fastify';
import { ServiceRefusal } from '../../contract/refusal.ts';

const RETRY_AFTER_SECONDS = '1';

/**
 * Refuse at once what would wait behind too many others, so that the wait of those that are taken stays bounded. A
 * request counts until the turn of the event loop in which it is answered is over: calculations are answered in the turn
 * in which they are read, and their callers wait for the whole of it.
 */
export const boundedLoad = (
  server: FastifyInstance,
  waitingMax: number,
  onRefusal: () => void = () => {},
): void => {
  let waiting = 0;
  const leave = () => {
    waiting -= 1;
  };
  server.addHook('onRequest', (_, reply, done) => {
    if (waiting >= waitingMax) {
      onRefusal();
      reply.header('retry-after', RETRY_AFTER_SECONDS);
      return done(
        new ServiceRefusal(503, 'the service has more requests than it can answer soon, try again'),
      );
    }
    waiting += 1;
    reply.raw.once('close', () => setImmediate(leave));
    return done();
  });
};
