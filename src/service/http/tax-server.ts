import { randomUUID } from 'node:crypto';
import type { RequestListener, Server } from 'node:http';
import { Server as Listener } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { ServiceRefusal } from '../../contract/refusal.ts';
import type { Clock } from '../../kernel/clock.ts';
import { TieoutError } from '../../kernel/errors.ts';
import type { TaxContent } from '../content/tax-content.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { registerDocuments } from './document-page.ts';
import { acceptJsonBodies } from './json-bodies.ts';
import { listening } from './listening.ts';
import { type Metrics, NO_OPERATION } from './metrics.ts';
import { type CountRequest, rateLimit, requestCounter } from './rate-limit.ts';
import { answerErrors, type DamageLook, refusedSocket, refuseSeveralHosts } from './refusals.ts';
import { registerRoutes, withDeadline } from './routes.ts';
import { sessions } from './sessions.ts';

export type ServerOptions = {
  readonly ledger: Ledger;
  readonly content: TaxContent;
  /** What the server calls its content in the header of its answers; nothing when absent. */
  readonly contentName?: string;
  readonly clock: Clock;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** PEM texts. With them the server speaks TLS, 1.2 at least. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** Allow plain HTTP on other addresses than the loopback. */
  readonly insecure?: boolean;
  readonly logger?: FastifyBaseLogger;
  /** Where requests are counted, if anywhere. */
  readonly metrics?: Metrics;
  /** Requests per minute and account, beyond which the answer is 429; unlimited when absent. */
  readonly requestsPerMinuteMax?: number;
  /** Counts the requests of accounts for that limit; of this server alone when absent. */
  readonly countRequest?: CountRequest;
  /** Requests at once, beyond which the answer is 503. */
  readonly waitingMax?: number;
  /** How long requests are still taken after the server was asked to stop, while `/readyz` says that it ends. */
  readonly drainMs?: number;
  /** Asked after an error that no one designed, whether damage of the books is behind it. */
  readonly damage?: DamageLook;
  /** How long a request may take to arrive, and then its answer, before it is refused with 408 or 503. */
  readonly deadlineMs?: number;
  /** Whether the header `X-TJ-Expected-Response` forces an error, as on a sandbox. */
  readonly sandbox?: boolean;
};

export type TaxServer = {
  /** The base address, which ends with the version segment. */
  readonly url: string;
  /**
   * Drain, answer what is under way, write what is counted, and stop listening. A server that another one at the same
   * port has `replaced` takes no new connections from the start, and stays ready for the ones it has.
   */
  readonly stop: (replaced?: 'replaced') => Promise<void>;
};

/** Requests with more than this are refused with 413: a transaction of 10,000 ample lines has about 4 MB. */
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
  const { host, port, ledger, drainMs = 0, deadlineMs = DEADLINE_MS } = options;
  const phase: Phase = { isEnding: false, isReady: true };
  const server = newServer(options, phase);
  const address = new URL(await listening(server, host, port));
  address.pathname = `${BASE_PATH}/`;
  /** As a server for HTTP closes it would end idle connections, on which a request may be on its way. */
  const stopListening = (): Promise<void> =>
    new Promise((resolve) => Listener.prototype.close.call(server.server, () => resolve()));
  return {
    url: address.toString(),
    stop: async (replaced) => {
      phase.isEnding = true;
      phase.isReady = replaced !== undefined;
      const left = replaced && stopListening();
      await pause(drainMs);
      const ended = left ?? stopListening();
      server.server.closeIdleConnections();
      const tooLong = setTimeout(() => server.server.closeAllConnections(), deadlineMs);
      await ended;
      clearTimeout(tooLong);
      await server.close();
      await ledger.flush();
    },
  };
};

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Keys and customers' addresses do not travel in the clear unless somebody says so. */
const refusePlaintext = ({ host, tls, insecure }: ServerOptions): void => {
  if (tls || insecure || LOOPBACK.test(host)) return;
  throw new TieoutError({
    code: 'E_SERVE_PLAINTEXT',
    recovery: 'usage',
    message: `Serving on ${host} without TLS would send keys and addresses in the clear.`,
    nextStep: 'Give a certificate and its key, serve on 127.0.0.1, or say --insecure.',
  });
};

/** How often it is looked whether a request has taken too long to arrive. */
const ARRIVAL_CHECK_MS = 1_000;

/** How requests are read, whatever Node's own defaults are: no leniency that another reader would not share. */
const parsing = (deadlineMs: number) => ({
  insecureHTTPParser: false,
  maxHeaderSize: 16 * 1024,
  headersTimeout: deadlineMs,
  requestTimeout: deadlineMs,
  connectionsCheckingInterval: Math.min(ARRIVAL_CHECK_MS, deadlineMs),
});

/** What a server does after it was asked to stop. */
type Phase = { isEnding: boolean; isReady: boolean };

const newServer = (options: ServerOptions, phase: Phase): FastifyInstance => {
  const { deadlineMs = DEADLINE_MS, damage = () => undefined } = options;
  const errors = answerErrors(damage);
  const http = parsing(deadlineMs);
  const server = fastify({
    ...(options.tls
      ? {
          https: {
            ...http,
            cert: options.tls.certificate,
            key: options.tls.key,
            minVersion: 'TLSv1.2',
            handshakeTimeout: deadlineMs,
          },
        }
      : { http }),
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    genReqId: requestId,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: deadlineMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: PARAMETER_LENGTH_MAX },
    clientErrorHandler: refusedSocket,
    frameworkErrors: errors.framework,
  }) as unknown as FastifyInstance;
  acceptJsonBodies(server);
  endConnections(server, phase);
  server.decorateRequest('session', null);
  options.metrics?.observe(server);
  logAnswers(server);
  refuseSeveralHosts(server);
  server.setErrorHandler(errors.handler);
  server.setNotFoundHandler(errors.notFound);
  registerDocuments(server);
  registerHealth(server, options.ledger, () => phase.isReady);

  const { clock, contentName, countRequest = requestCounter(clock) } = options;
  const { requestsPerMinuteMax, waitingMax } = options;
  const limit = rateLimit(countRequest, requestsPerMinuteMax);
  server.register(
    async (scope) => {
      const session = sessions(options, limit);
      scope.addHook('onRequest', session.open);
      registerRoutes(scope, { deadlineMs, contentName });
    },
    { prefix: BASE_PATH },
  );
  const onRefusal = options.metrics?.countOverload;
  if (waitingMax !== undefined) boundedLoad(server.server, { waitingMax, path: BASE_PATH, onRefusal });
  return server;
};

/** A client that keeps its connection would keep the server from stopping: what is answered from now on is the last. */
const endConnections = (server: FastifyInstance, phase: Phase): void => {
  server.addHook('onSend', (_, reply, payload, done) => {
    if (phase.isEnding) reply.header('connection', 'close');
    done(null, payload);
  });
};

/** A load balancer gives up sooner than a caller. */
const BOOKS_WAIT_MS = 2_000;

/** Accounts are counted from 1. */
const NO_ACCOUNT = 0;

/**
 * `/healthz` says that the process lives, `/readyz` that it may be sent requests: its books can be read and it has not been
 * asked to end. Neither needs a key.
 */
const registerHealth = (server: FastifyInstance, { accounts }: Ledger, isReady: () => boolean): void => {
  server.get('/healthz', { config: { operation: 'health' } }, async () => ({ status: 'ok' }));
  server.get('/readyz', { config: { operation: 'readiness' } }, async () => {
    if (!isReady()) throw new ServiceRefusal(503, 'the service is ending');
    await withDeadline(accounts.find(NO_ACCOUNT), BOOKS_WAIT_MS);
    return { status: 'ready' };
  });
};

/** Ids that callers give to their requests: no blanks, and nothing that a reader of logs could take for markup. */
const GIVEN_ID = /^[\w.:-]{1,128}$/;

/** The caller's own `X-Request-Id`, so that both logs name a request alike; a new one in place of any other form. */
const requestId = ({
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
 * Refuse at once what would wait behind too many others, so that the wait of those that are taken stays bounded. It is
 * done before anything else is, because under overload most of what arrives is refused. A request counts until the turn of
 * the event loop in which it is answered is over: calculations are answered in the turn in which they are read, and
 * their callers wait for the whole of it.
 */
const boundedLoad = (
  server: Server,
  {
    waitingMax,
    path,
    onRefusal = () => {},
  }: { readonly waitingMax: number; readonly path: string; readonly onRefusal?: (() => void) | undefined },
): void => {
  const [answer] = server.listeners('request') as RequestListener[];
  let waiting = 0;
  const leave = () => {
    waiting -= 1;
  };
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (waiting >= waitingMax && request.url?.startsWith(path)) {
      onRefusal();
      response.writeHead(503, HEADERS).end(TEXT);
      return;
    }
    waiting += 1;
    response.once('close', () => setImmediate(leave));
    answer?.(request, response);
  });
};
