import { randomUUID } from 'node:crypto';
import type { RequestListener, Server } from 'node:http';
import { Server as Listener } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { TaxContent } from '../content/tax-content.ts';
import { ServiceRefusal } from '../contract/refusal.ts';
import type { Clock } from '../kernel/calendar.ts';
import { TieoutError } from '../kernel/errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Metrics, NO_OPERATION } from './metrics.ts';
import { acceptJsonBodies, answerErrors, type DamageLook, listening, refusedSocket } from './refusals.ts';
import { registerKeyless, registerRoutes, sessions } from './routes.ts';

/** A certificate and its key as PEM texts. */
export type Certificate = { readonly certificate: string; readonly key: string };

export type ServerOptions = {
  readonly ledger: Ledger;
  readonly content: TaxContent;
  /** The name of the content in the header of answers; no header when absent. */
  readonly contentName?: string;
  readonly clock: Clock;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** With it the server speaks TLS, 1.2 at least. */
  readonly tls?: Certificate;
  /** Allow plain HTTP on addresses other than the loopback. */
  readonly insecure?: boolean;
  readonly logger?: FastifyBaseLogger;
  /** Counts requests, if given. */
  readonly metrics?: Metrics;
  /** Concurrent requests, beyond which the answer is 503. */
  readonly waitingMax?: number;
  /** How long requests are accepted after a stop was requested, while `/readyz` reports that the server is ending. */
  readonly drainMs?: number;
  /** Called after an unexpected error to find out whether damage of the ledger caused it. */
  readonly damage?: DamageLook;
  /** How long a request may take to arrive, and then its answer, before it is refused with 408 or 503. */
  readonly deadlineMs?: number;
};

export type TaxServer = {
  /** The base address, which ends with the version segment. */
  readonly url: string;
  /** Drain, answer the requests in progress, and stop listening. */
  readonly stop: () => Promise<void>;
};

/** Larger requests are refused with 413: a transaction of 10,000 lines with long texts has about 4 MB. */
const BODY_BYTES_MAX = 8 * 1024 * 1024;

const DEADLINE_MS = 30_000;

/** Ids have at most 255 characters, each of which may be percent-encoded. */
const PARAMETER_LENGTH_MAX = 800;

const BASE_PATH = '/v2';

/**
 * Serve the ledger's accounts over HTTP. The caller closes the database after `stop`.
 *
 * @throws {TieoutError} E_SERVE_PLAINTEXT, E_SERVE_ADDRESS
 */
export const startTaxServer = async (options: ServerOptions): Promise<TaxServer> => {
  refusePlaintext(options);
  const { host, port, drainMs = 0, deadlineMs = DEADLINE_MS } = options;
  const phase: Phase = { isEnding: false };
  const server = newServer(options, phase);
  const address = new URL(await listening(server, host, port));
  address.pathname = `${BASE_PATH}/`;
  /** Closing the HTTP server would also end idle connections, on which a request may be in transit. */
  const stopListening = (): Promise<void> =>
    new Promise((resolve) => Listener.prototype.close.call(server.server, () => resolve()));
  return {
    url: address.toString(),
    stop: async () => {
      phase.isEnding = true;
      await pause(drainMs);
      const ended = stopListening();
      server.server.closeIdleConnections();
      const tooLong = setTimeout(() => server.server.closeAllConnections(), deadlineMs);
      await ended;
      clearTimeout(tooLong);
      await server.close();
    },
  };
};

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Refuse to send keys and customers' addresses in the clear unless `insecure` allows it. */
const refusePlaintext = ({ host, tls, insecure }: ServerOptions): void => {
  if (tls || insecure || LOOPBACK.test(host)) return;
  throw new TieoutError({
    code: 'E_SERVE_PLAINTEXT',
    message: `Serving on ${host} without TLS would send keys and addresses in the clear.`,
    nextStep: 'Give a certificate and its key, serve on 127.0.0.1, or say --insecure.',
  });
};

/** How often to check whether a request has taken too long to arrive. */
const ARRIVAL_CHECK_MS = 1_000;

/** Options for reading requests, regardless of Node's defaults: no leniency that another reader would not share. */
const parsing = (deadlineMs: number) => ({
  insecureHTTPParser: false,
  maxHeaderSize: 16 * 1024,
  headersTimeout: deadlineMs,
  requestTimeout: deadlineMs,
  connectionsCheckingInterval: Math.min(ARRIVAL_CHECK_MS, deadlineMs),
});

type Phase = { isEnding: boolean };

/**
 * Ids that a caller may choose for its request, so that both logs name it alike: no blanks, and nothing that a log viewer
 * could take for markup.
 */
const GIVEN_ID = /^[\w.:-]{1,128}$/;

const newServer = (options: ServerOptions, phase: Phase): FastifyInstance => {
  const { deadlineMs = DEADLINE_MS, damage = () => undefined } = options;
  const errors = answerErrors(damage);
  const http = parsing(deadlineMs);
  const { certificate: cert, key } = options.tls ?? {};
  const https = { ...http, cert, key, minVersion: 'TLSv1.2', handshakeTimeout: deadlineMs } as const;
  const server = fastify({
    ...(options.tls ? { https } : { http }),
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && GIVEN_ID.test(given) ? given : randomUUID();
    },
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: deadlineMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: PARAMETER_LENGTH_MAX },
    clientErrorHandler: refusedSocket,
    frameworkErrors: errors.handler,
  }) as unknown as FastifyInstance;
  acceptJsonBodies(server);
  endConnections(server, phase);
  server.decorateRequest('session', null);
  options.metrics?.observe(server);
  logAnswers(server);
  server.setErrorHandler(errors.handler);
  server.setNotFoundHandler(errors.notFound);
  registerKeyless(server, options.ledger, () => phase.isEnding);

  const { contentName, waitingMax } = options;
  server.register(
    async (scope) => {
      scope.addHook('onRequest', sessions(options));
      registerRoutes(scope, { deadlineMs, contentName });
    },
    { prefix: BASE_PATH },
  );
  if (waitingMax !== undefined) boundedLoad(server.server, waitingMax, options.metrics?.countOverload);
  return server;
};

/**
 * Close connections while the server ends: a client that keeps its connection would prevent the stop, so each answer
 * from now on is the last on its connection.
 */
const endConnections = (server: FastifyInstance, phase: Phase): void => {
  server.addHook('onSend', (_, reply, payload, done) => {
    if (phase.isEnding) reply.header('connection', 'close');
    done(null, payload);
  });
};

/**
 * Log one line for each answer: operation, method, account, status and duration. Path, query and body are left out,
 * because they contain customers' addresses and the ids of their orders.
 */
const logAnswers = (server: FastifyInstance): void => {
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

const { body } = new ServiceRefusal(503, 'the service has more requests than it can answer soon, try again');

const TEXT = JSON.stringify(body);

const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(TEXT),
  'retry-after': '1',
};

/**
 * Refuse at once a request that would wait behind too many others, so that the wait of accepted ones is bounded. This
 * is done before anything else, because under overload most requests are refused. A request counts until the end of the
 * turn of the event loop in which it is answered: calculations are answered in the turn in which they are read, and
 * their callers wait for all of it.
 */
const boundedLoad = (server: Server, waitingMax: number, onRefusal = (): void => {}): void => {
  const [answer] = server.listeners('request') as RequestListener[];
  let waiting = 0;
  const leave = () => {
    waiting -= 1;
  };
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (waiting >= waitingMax && request.url?.startsWith(BASE_PATH)) {
      onRefusal();
      response.writeHead(503, HEADERS).end(TEXT);
      return;
    }
    waiting += 1;
    response.once('close', () => setImmediate(leave));
    answer?.(request, response);
  });
};
