import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accept, readChanges, readTransaction } from '../contract/accept.ts';
import { ServiceRefusal } from '../contract/refusal.ts';
import { CONTENT_HEADER } from '../contract/tax-service.ts';
import { ProviderQuery, type TransactionKind } from '../contract/transaction.ts';
import { wireDeleted, wireLocationRate, wireTax, wireTransaction } from '../contract/wire.ts';
import { DefectError } from '../kernel/errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { apiVersionInForce } from '../ledger/record.ts';
import { notRecorded } from '../ledger/recorded-transactions.ts';
import { type EmbeddedOptions, type EmbeddedTaxService, embeddedTaxService } from './tax-service.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const RECORDING = '/transactions/';

/** The deadline of an answer, and the tax content to name in its header, if any. */
type Answering = { readonly deadlineMs: number; readonly contentName: string | undefined };

/** Register every operation of the interface at its path; any other method there is a 405. */
export const registerRoutes = (server: FastifyInstance, { deadlineMs, contentName }: Answering): void => {
  const methodsByPath = new Map<string, string[]>();
  for (const { id, method, path: url, answer, status = 200 } of ROUTES) {
    methodsByPath.set(url, [...(methodsByPath.get(url) ?? []), method]);
    server.route({
      method,
      url,
      config: { operation: id },
      handler: async (request, reply) => {
        const { service, apiVersion } = sessionOf(request);
        if (url.startsWith(RECORDING)) reply.header('x-api-version', apiVersion);
        else if (contentName !== undefined) reply.header(CONTENT_HEADER, contentName);
        const body = await withDeadline(answer(service, callOf(request)), deadlineMs);
        return reply.code(status).send(body);
      },
    });
  }
  for (const [url, allowed] of methodsByPath) {
    const others = METHODS.filter((method) => !allowed.includes(method));
    server.route({
      method: others,
      url,
      handler: async (request, reply) => refuseMethod(request, reply, allowed),
    });
  }
};

const sessionOf = ({ session }: FastifyRequest) => {
  if (session === null) throw new DefectError('a route was reached without authentication');
  return session;
};

/** Read a call. The provider may be in the query or, as some clients send it on DELETE, in the body. */
const callOf = ({ method, params, query, body }: FastifyRequest): Call => {
  const { id = '' } = params as { readonly id?: string };
  const named = method === 'DELETE' && body ? { ...(body as object), ...(query as object) } : query;
  return { id, query: named as never, body: body as never };
};

const refuseMethod = (request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]): never => {
  reply.header('allow', allowed.join(', '));
  throw new ServiceRefusal(405, `${request.method} is not allowed here, only ${allowed.join(', ')}`);
};

/** A request of the interface: the parameter of its path, its query and its body, in wire form. */
type Call = {
  readonly id: string;
  readonly query: never;
  readonly body: never;
};

/** An operation of the interface: its name in logs, its place, and the call of the service that returns the body of the answer. */
type Route = {
  readonly id: string;
  readonly method: (typeof METHODS)[number];
  /** The path below the base address. */
  readonly path: string;
  readonly answer: (service: EmbeddedTaxService, call: Call) => Promise<object>;
  /** 200 when absent. */
  readonly status?: 201;
};

const route = (id: string, place: string, answer: Route['answer'], status?: 201): Route => {
  const [method, path] = place.split(' ') as [Route['method'], string];
  return { id, method, path, answer, ...(status && { status }) };
};

/** The operations of recorded orders or refunds. */
const recording = (kind: TransactionKind, noun: string): readonly Route[] => {
  const all = `/transactions/${kind}s`;
  const one = `${all}/:id`;
  return [
    route(`list${noun}s`, `GET ${all}`, async (service, { query }) => ({
      [`${kind}s`]: await service.list(kind, query),
    })),
    route(`show${noun}`, `GET ${one}`, async (service, { id, query }) => {
      const name = { kind, id, ...accept(ProviderQuery, query) };
      const [record] = await service.showMany([name]);
      if (record === undefined) throw notRecorded(name);
      return { [kind]: wireTransaction(record) };
    }),
    route(
      `create${noun}`,
      `POST ${all}`,
      async (service, { body }) => {
        const [outcome] = await service.createMany([{ kind, transaction: readTransaction(kind, body) }]);
        if (outcome === undefined || outcome instanceof ServiceRefusal) throw outcome;
        return { [kind]: wireTransaction(outcome) };
      },
      201,
    ),
    route(`update${noun}`, `PUT ${one}`, async (service, { id, body }) => ({
      [kind]: wireTransaction(await service.update(kind, id, readChanges(kind, body))),
    })),
    route(`delete${noun}`, `DELETE ${one}`, async (service, { id, query }) => ({
      [kind]: wireDeleted(await service.remove(kind, id, query)),
    })),
  ];
};

const CUSTOMER = '/customers/:id';

/** All operations of the interface. */
export const ROUTES: readonly Route[] = [
  route('listCategories', 'GET /categories', async (service) => ({ categories: await service.categories() })),
  route('calculateTax', 'POST /taxes', async (service, { body }) => ({
    tax: wireTax(await service.calculateTax(body)),
  })),
  route('showRates', 'GET /rates/:id', async (service, { id, query }) => ({
    rate: wireLocationRate(await service.showRates(id, query)),
  })),
  route('listNexusRegions', 'GET /nexus/regions', async (service) => ({
    regions: await service.nexusRegions(),
  })),
  ...recording('order', 'Order'),
  ...recording('refund', 'Refund'),
  route('listCustomers', 'GET /customers', async (service) => ({ customers: await service.listCustomers() })),
  route('showCustomer', `GET ${CUSTOMER}`, async (service, { id }) => ({
    customer: await service.showCustomer(id),
  })),
  route(
    'createCustomer',
    'POST /customers',
    async (service, { body }) => ({ customer: await service.createCustomer(body) }),
    201,
  ),
  route('updateCustomer', `PUT ${CUSTOMER}`, async (service, { id, body }) => ({
    customer: await service.updateCustomer(id, body),
  })),
  route('deleteCustomer', `DELETE ${CUSTOMER}`, async (service, { id }) => ({
    customer: await service.deleteCustomer(id),
  })),
];

/**
 * Return the result of `work`, or a 503 when it exceeds the deadline. The work itself continues: a write that has begun
 * is completed, and a client that asks again learns the outcome.
 */
export const withDeadline = async <Result>(work: Promise<Result>, deadlineMs: number): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ServiceRefusal(503, `the request took longer than ${deadlineMs} ms`)),
      deadlineMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** The access of a request: to the service of the account whose key it has. */
export type Session = {
  readonly accountId: number;
  readonly service: EmbeddedTaxService;
  readonly apiVersion: string;
};

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | null;
  }
}

const BEARER = /^Bearer +(\S+) *$/i;
const TOKEN = /^Token +token="?([^"\s]+)"? *$/i;

/** Returns what authenticates a request: both forms of the header, and the account that the key belongs to. */
export const sessions = ({ ledger, content, clock }: Omit<EmbeddedOptions, 'accountId' | 'apiVersion'>) => {
  const services = new Map<string, EmbeddedTaxService>();
  const serviceOf = (accountId: number, apiVersion: string): EmbeddedTaxService => {
    const name = `${accountId} ${apiVersion}`;
    const service =
      services.get(name) ?? embeddedTaxService({ ledger, accountId, content, clock, apiVersion });
    services.set(name, service);
    return service;
  };
  return async (request: FastifyRequest): Promise<void> => {
    const header = request.headers.authorization ?? '';
    const secret = BEARER.exec(header)?.[1] ?? TOKEN.exec(header)?.[1];
    const accountId = secret === undefined ? undefined : await ledger.keys.accountOf(secret);
    const account = accountId === undefined ? undefined : await ledger.accounts.find(accountId);
    if (account === undefined) throw unauthorized(request);
    const apiVersion = apiVersionInForce(request.headers['x-api-version']?.toString());
    request.session = { accountId: account.id, service: serviceOf(account.id, apiVersion), apiVersion };
  };
};

const unauthorized = (request: FastifyRequest): ServiceRefusal => {
  const [path = ''] = request.url.split('?');
  return new ServiceRefusal(401, `Not authorized for route '${request.method} ${path}'`);
};

/** How long `/readyz` waits for the ledger: a load balancer gives up sooner than a caller. */
const BOOKS_WAIT_MS = 2_000;

/** Accounts are numbered from 1. */
const NO_ACCOUNT = 0;

/**
 * Serve what needs no key. `/healthz` reports that the process is alive, `/readyz` that it can take requests: its
 * ledger can be read and it is not ending.
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
};
