import { isUtf8 } from 'node:buffer';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type RefusalStatus, ServiceRefusal } from '../contract/refusal.ts';
import { systemReason, TieoutError } from '../kernel/errors.ts';

/** The refusals of fastify itself, in the words of the interface. */
const FRAMEWORK_DETAILS: Readonly<Record<string, readonly [RefusalStatus, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'the body is too large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'Content-Type must be application/json'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'the body does not have the length that was declared'],
  FST_ERR_BAD_URL: [404, 'the path is malformed'],
  FST_ERR_MAX_PARAM_LENGTH: [404, 'the path is too long'],
  FST_ERR_ASYNC_CONSTRAINT: [400, 'the request is malformed'],
};

const TEMPORARY: ReadonlySet<string> = new Set(['retry', 'wait']);

/** Finds the damage of the ledger after an unexpected error; `undefined` when it is sound. */
export type DamageLook = (error: unknown) => TieoutError | undefined;

/** Convert an error to a refusal: every answer that is not a success has this form. */
const refusalOf = (error: unknown, request: FastifyRequest, damage: DamageLook): ServiceRefusal => {
  if (error instanceof ServiceRefusal) return error;
  if (error instanceof TieoutError && TEMPORARY.has(error.recovery)) {
    request.log.warn({ err: error }, 'The service database could not be used in time.');
    return new ServiceRefusal(503, 'the service cannot use its database at the moment, try again');
  }
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>;
  const known = FRAMEWORK_DETAILS[code];
  if (known) return new ServiceRefusal(...known);
  if (statusCode < 500) return new ServiceRefusal(400, 'the request is malformed');
  const isDesigned = error instanceof TieoutError && error.recovery !== 'defect';
  const designed = isDesigned ? error : damage(error);
  if (designed) {
    request.log.error({ err: designed }, 'The service database cannot be used.');
    return new ServiceRefusal(
      500,
      `the service cannot use its database; its log says why at request ${request.id}`,
    );
  }
  request.log.error({ err: error }, 'A request failed.');
  return new ServiceRefusal(500, `the service failed to answer request ${request.id}`);
};

const send = (reply: FastifyReply, { status, body }: ServiceRefusal): FastifyReply =>
  reply.code(status).send(body);

const NO_VALIDATION =
  'addresses are not validated here: taxes and rates are calculated for them as they are sent';

export const answerErrors = (damage: DamageLook) => ({
  handler: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    send(reply, refusalOf(error, request, damage)),
  notFound: (request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = request.url.split('?');
    if (path.endsWith('/addresses/validate'))
      return send(reply, new ServiceRefusal(501, NO_VALIDATION, 'Not Implemented'));
    return send(reply, new ServiceRefusal(404, `there is no route '${request.method} ${path}'`));
  },
});

/** Answer a request that is not valid HTTP, or that did not arrive in time. */
export const refusedSocket = ({ code }: { readonly code?: string }, socket: Socket): void => {
  // The peer could not read an answer, and the connection would wait for it to be read.
  if (code === 'ERR_TLS_HANDSHAKE_TIMEOUT') return void socket.destroy();
  if (!socket.writable) return;
  const isLate = code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const { body } = isLate
    ? new ServiceRefusal(408, 'the request did not arrive in time')
    : new ServiceRefusal(400, 'the request is not valid HTTP');
  const text = JSON.stringify(body);
  socket.write(
    `HTTP/1.1 ${body.status} ${body.error}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  );
  // A client that continues to send slowly would keep the connection open.
  if (isLate) socket.destroySoon();
  else socket.end();
};

/**
 * Read bodies as JSON. An empty body counts as absent, whatever its declared type, because the public Node client
 * declares a type on DELETE and sends no body; a body without a type is read as JSON, too. A body that is not UTF-8 is
 * refused: unreadable characters would all become the same one, and different ids equal.
 */
export const acceptJsonBodies = (server: FastifyInstance): void => {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    const body = bytes.toString();
    if (body.trim() === '') return done(null, undefined);
    const type = request.headers['content-type'] ?? 'application/json';
    if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) {
      return done(new ServiceRefusal(415, 'Content-Type must be application/json'));
    }
    let read: unknown;
    try {
      read = JSON.parse(body);
    } catch {
      return done(new ServiceRefusal(406, 'the body is not valid JSON'));
    }
    if (!isUtf8(bytes)) return done(new ServiceRefusal(422, 'the body is not text in UTF-8'));
    return done(null, read);
  });
};

const FRAME = /^\s+at /;

/**
 * Return the parts of an error that may be logged. Messages of errors that are not ours can quote the value that caused
 * them, and database errors contain whole rows, so of those only the kind, the code and the stack are kept.
 */
export const loggableError = (error: unknown): object => {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.name,
    ...(code !== undefined && { code }),
    ...(error instanceof TieoutError && { message: error.message, nextStep: error.nextStep }),
    stack: (error.stack ?? '').split('\n').filter((line) => FRAME.test(line)),
    ...(error.cause !== undefined && { cause: loggableError(error.cause) }),
  };
};

/** Listen, and return the address. @throws {TieoutError} E_SERVE_ADDRESS */
export const listening = (server: FastifyInstance, host: string, port: number): Promise<string> =>
  server.listen({ host, port }).catch((error: Error) => {
    throw new TieoutError({
      code: 'E_SERVE_ADDRESS',
      message: `Cannot serve on ${host} port ${port}: ${systemReason(error)}.`,
      nextStep: 'Choose another port or address, or stop what is using this one.',
      cause: error,
    });
  });
