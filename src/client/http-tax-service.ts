import { errors, Pool } from 'undici';
import * as z from 'zod';
import { compiled } from '../contract/accept.ts';
import { NexusRegion } from '../contract/on-file.ts';
import { asRefusal, isGone, RefusalBody, ServiceRefusal } from '../contract/refusal.ts';
import { TaxResult } from '../contract/tax-result.ts';
import { Category, CONTENT_HEADER, type TaxService } from '../contract/tax-service.ts';
import { DeletedTransaction, Order, type TransactionKind } from '../contract/transaction.ts';
import { wireSent, withoutNulls } from '../contract/wire.ts';
import { systemReason, TieoutError } from '../kernel/errors.ts';
import { jsonIn } from '../kernel/json.ts';
import { inParallel } from '../runtime/batches.ts';

const Categories = z.array(Category);
const NexusRegions = z.array(NexusRegion);
const Ids = z.array(z.string());

type Fields = Readonly<Record<string, unknown>>;

/**
 * The tax service over a network, through a transport that already retries and paces. A list becomes one call
 * per item, `callsAtOnce` at a time; after an outage no further call is started.
 *
 * @throws {ServiceRefusal} for what the service refuses, {TieoutError} E_SERVICE_KEY when it does not know the key,
 * E_SERVICE_FORBIDDEN when the account may not make the call, E_SERVICE_ANSWER when the answer does not match the
 * interface
 */
export const httpTaxService = (send: Transport, callsAtOnce: number): TaxService => {
  /** Send a request, such as `GET categories`, and return what the body of the answer has under a name. */
  const call = async <Schema extends z.ZodType>(
    name: string,
    schema: Schema,
    request: `${HttpCall['method']} ${string}`,
    { query, body }: { readonly query?: Fields | undefined; readonly body?: object } = {},
  ): Promise<z.output<Schema>> => {
    const [method, path] = request.split(' ') as [HttpCall['method'], string];
    const sent = { method, path: `${path}${queryText(query)}`, ...(body && { body: JSON.stringify(body) }) };
    const reply = await send(sent);
    if (reply.status >= 300) throw refusalOf(sent, reply);
    const answer = jsonIn(reply.text) as Fields | null | undefined;
    const result = compiled(schema).safeParse(answer?.[name]);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    const place = [name, ...(issue?.path ?? [])].join('.');
    throw notOfTheInterface(sent, reply, answer === undefined ? 'no JSON' : `${place}: ${issue?.message}`);
  };
  const one = (kind: TransactionKind, id: string) => `transactions/${kind}s/${encodeURIComponent(id)}`;

  return {
    calculateTax: (body) => call('tax', TaxResult, 'POST taxes', { body }),
    categories: () => call('categories', Categories, 'GET categories'),
    nexusRegions: () => call('regions', NexusRegions, 'GET nexus/regions'),
    createMany: (transactions) =>
      inParallel(transactions, callsAtOnce, ({ kind, transaction }) =>
        call(kind, Order, `POST transactions/${kind}s`, { body: wireSent(transaction) }).catch(asRefusal),
      ),
    showMany: (names) =>
      inParallel(names, callsAtOnce, ({ kind, id, provider }) =>
        call(kind, Order, `GET ${one(kind, id)}`, { query: { provider } }).catch((error: unknown) => {
          if (isGone(error)) return undefined;
          throw error;
        }),
      ),
    list: (kind, query) => call(`${kind}s`, Ids, `GET transactions/${kind}s`, { query }),
    update: (kind, id, changes) =>
      call(kind, Order, `PUT ${one(kind, id)}`, { body: { ...wireSent(changes), transaction_id: id } }),
    remove: (kind, id, query) => call(kind, DeletedTransaction, `DELETE ${one(kind, id)}`, { query }),
  };
};

const queryText = (query: Fields = {}): string => {
  const text = new URLSearchParams(withoutNulls(query) as Record<string, string>).toString();
  return text === '' ? '' : `?${text}`;
};

const UNKNOWN_KEY = 401;
const FORBIDDEN = 403;

const refusalOf = (call: HttpCall, reply: HttpReply): Error => {
  const body = RefusalBody.safeParse(jsonIn(reply.text));
  const detail = body.success ? body.data.detail : undefined;
  const said = `${reply.status} ${[detail ?? ''].flat().join('; ')}`.trim();
  if (reply.status === UNKNOWN_KEY)
    return new TieoutError({
      code: 'E_SERVICE_KEY',
      message: `the tax service does not let the key in: ${said}`,
      nextStep:
        'Check the environment variable that holds the key (TIEOUT_SERVICE_KEY, if no other one is named), and that the key has not been revoked',
    });
  if (reply.status === FORBIDDEN)
    return new TieoutError({
      code: 'E_SERVICE_FORBIDDEN',
      message: `the tax service knows the key and forbids ${callName(call)}: ${said}`,
      nextStep:
        'Ask anyone who runs the service what the account may do and whether its plan is used up, and run the same command again: what was answered is kept',
    });
  if (detail === undefined)
    return notOfTheInterface(call, reply, 'a refusal without status, error and detail');
  return new ServiceRefusal(reply.status, detail, body.success ? body.data.error : undefined);
};

const notOfTheInterface = (call: HttpCall, reply: HttpReply, problem: string): TieoutError =>
  new TieoutError({
    code: 'E_SERVICE_ANSWER',
    message: `the tax service answered ${callName(call)} with ${reply.status} and something that is not of the interface (${problem})`,
    nextStep: 'Check that `service.url` is the base address of the service, and try again later',
  });

/** One call of the interface, relative to the base address. */
export type HttpCall = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `transactions/orders/1001?provider=shopify` */
  readonly path: string;
  readonly body?: string;
};

export type HttpReply = {
  readonly status: number;
  readonly text: string;
  /** The pause that the service asks for, if it does. */
  readonly retryAfterMs?: number | undefined;
  /** The tax content on which the answer is based, if the service names it. */
  readonly content?: string | undefined;
};

/** Sends a call and returns the answer, whatever its status. @throws {NoAnswerError} when there is no answer */
export type Transport = (call: HttpCall) => Promise<HttpReply>;

/** The error when there is no answer: refused, reset, timed out. Whether the service acted is unknown. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/** Return the name of a call for messages: never its body, never a key. */
export const callName = ({ method, path }: HttpCall): string => `${method} /${path.split('?')[0]}`;

/** Codes of network errors: of the operating system, of TLS negotiation, and of certificates that are not trusted. */
const NETWORK =
  /^(?:E[A-Z]+|(?:ERR_(?:SSL|TLS)|CERT|CRL|DEPTH|HOSTNAME|INVALID_CA|PATH_LENGTH|SELF_SIGNED|UNABLE)_[A-Z_\d]+)$/;

export type PoolOptions = {
  /** The base address, which ends with the version segment: `https://api.example.com/v2/`. */
  readonly url: string;
  readonly key: string;
  /** Maximum number of connections, and so of calls in flight. */
  readonly connections: number;
  readonly timeoutMs: number;
  readonly apiVersion?: string;
};

/** Add the trailing slash of a base address, so that paths can be appended. */
const withSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`);

/** Send calls over a pool of kept connections, with TLS 1.2 or later. */
export const poolTransport = (options: PoolOptions) => {
  const base = new URL(withSlash(options.url));
  const pool = new Pool(base.origin, {
    connections: options.connections,
    pipelining: 1,
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
    connect: { timeout: options.timeoutMs, minVersion: 'TLSv1.2' },
  });
  const headers = {
    authorization: `Bearer ${options.key}`,
    accept: 'application/json',
    ...(options.apiVersion !== undefined && { 'x-api-version': options.apiVersion }),
  };
  const headersOfBody = { ...headers, 'content-type': 'application/json' };
  return {
    /** Wait for the calls in flight, and close. */
    close: (): Promise<void> => (pool.destroyed ? Promise.resolve() : pool.close()),
    /** Abort the calls in flight. */
    abandon: () => void pool.destroy(),
    send: async ({ method, path, body }: HttpCall): Promise<HttpReply> => {
      try {
        const reply = await pool.request({
          method,
          path: `${base.pathname}${path}`,
          headers: body === undefined ? headers : headersOfBody,
          body: body ?? null,
        });
        return {
          status: reply.statusCode,
          retryAfterMs: millisecondsOf(reply.headers['retry-after']),
          content: reply.headers[CONTENT_HEADER]?.toString(),
          text: await reply.body.text(),
        };
      } catch (error) {
        throw asNoAnswer(error, base.origin);
      }
    },
  };
};

/** Describe why there was no answer; an error that is not from the network is a defect and is returned unchanged. */
const asNoAnswer = (error: unknown, address: string): unknown => {
  const code = String((error as NodeJS.ErrnoException | undefined)?.code ?? '');
  if (!(error instanceof errors.UndiciError) && !NETWORK.test(code)) return error;
  return new NoAnswerError(`${address}: ${systemReason(error)}`, { cause: error });
};

/** Read `Retry-After` in its two forms, seconds and a date; `undefined` for anything else. */
const millisecondsOf = (header: string | string[] | undefined): number | undefined => {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (text === undefined || text === '') return undefined;
  const wantedMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(wantedMs) ? Math.max(0, Math.ceil(wantedMs)) : undefined;
};
