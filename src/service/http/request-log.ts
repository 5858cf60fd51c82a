import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { NO_OPERATION } from './metrics.ts';

/** Ids that callers give to their requests: no blanks, and nothing that a reader of logs could take for markup. */
const GIVEN_ID = /^[\w.:-]{1,128}$/;

/** The caller's own `X-Request-Id`, so that both logs name a request alike; a new one in place of any other form. */
export const requestId = ({
  headers,
}: {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && GIVEN_ID.test(given) ? given : randomUUID();
};

/**
 * One line for each answer: what was asked, by which account, how it went and how long it took. Neither path nor query
 * nor body is in it, because they hold customers' addresses and the ids of their orders.
 */
export const logAnswers = (server: FastifyInstance): void => {
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        operation: request.routeOptions.config.operation ?? NO_OPERATION,
        method: request.method,
        account: request.session?.accountId,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      },
      'A request was answered.',
    );
    done();
  });
};
