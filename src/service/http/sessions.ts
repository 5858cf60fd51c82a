import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RefusalStatus, ServiceRefusal, STATUS_NAMES } from '../../contract/refusal.ts';
import type { Clock } from '../../kernel/calendar.ts';
import type { TaxContent } from '../content/tax-content.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { apiVersionInForce } from '../recording/api-versions.ts';
import { type EmbeddedTaxService, embeddedTaxService } from '../tax-service.ts';
import type { RateLimit } from './rate-limit.ts';

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

/** Authenticate requests: both forms of the header, and the account that the key belongs to. */
export const sessions = (
  options: {
    readonly ledger: Ledger;
    readonly content: TaxContent;
    readonly clock: Clock;
    readonly sandbox?: boolean;
  },
  limit: RateLimit,
): { readonly open: (request: FastifyRequest, reply: FastifyReply) => Promise<void> } => {
  const { ledger, content, clock, sandbox } = options;
  const services = new Map<string, EmbeddedTaxService>();
  const serviceOf = (accountId: number, apiVersion: string): EmbeddedTaxService => {
    const name = `${accountId} ${apiVersion}`;
    let service = services.get(name);
    if (!service) {
      service = embeddedTaxService({ ledger, accountId, content, clock, apiVersion });
      services.set(name, service);
    }
    return service;
  };
  return {
    open: async (request, reply) => {
      const header = request.headers.authorization ?? '';
      const secret = BEARER.exec(header)?.[1] ?? TOKEN.exec(header)?.[1];
      const accountId = secret === undefined ? undefined : await ledger.keys.accountOf(secret);
      const account = accountId === undefined ? undefined : await ledger.accounts.find(accountId);
      if (account === undefined) throw unauthorized(request);
      const apiVersion = apiVersionInForce(textOf(request.headers['x-api-version']), account.apiVersion);
      request.session = { accountId: account.id, service: serviceOf(account.id, apiVersion), apiVersion };
      // From here on the log names the account, also where the request is refused.
      await limit(account.id, reply);
      if (sandbox) refuseAsExpected(request);
    },
  };
};

const unauthorized = (request: FastifyRequest): ServiceRefusal => {
  const [path = ''] = request.url.split('?');
  return new ServiceRefusal(401, `Not authorized for route '${request.method} ${path}'`);
};

/** Answer with the error that the request asks for: in a sandbox callers can test how they handle it. */
const refuseAsExpected = (request: FastifyRequest): void => {
  const expected = textOf(request.headers['x-tj-expected-response']);
  if (expected === undefined || !Object.hasOwn(STATUS_NAMES, expected)) return;
  const status = Number(expected) as RefusalStatus;
  throw new ServiceRefusal(status, `${STATUS_NAMES[status]}, as the request expected`);
};

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;
