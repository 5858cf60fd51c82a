import { errors, Pool } from 'undici';
import { CONTENT_HEADER } from '../contract/tax-service.ts';
import { systemReason } from '../kernel/errors.ts';

/** One call of the interface, relative to the base address. */
export type HttpCall = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `transactions/orders/1001?provider=shopify` */
  readonly path: string;
  readonly body?: string;
  /** Whether the caller can request less instead; such a call is not retried when it takes too long. */
  readonly isDivisible?: boolean;
};

export type HttpReply = {
  readonly status: number;
  readonly text: string;
  /** The pause that the service asks for, if it does. */
  readonly retryAfterMs?: number;
  /** The tax content on which the answer is based, if the service names it. */
  readonly content?: string;
};

/** Sends a call and returns the answer, whatever its status. @throws {NoAnswerError} when there is no answer */
export type Transport = (call: HttpCall) => Promise<HttpReply>;

/** The error when there is no answer: refused, reset, timed out. Whether the service acted is unknown. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly isTimeout: boolean;

  constructor(message: string, options: { readonly cause?: unknown; readonly isTimeout?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.isTimeout = options.isTimeout === true;
  }
}

/** Return the name of a call for messages: never its body, never a key. */
export const callName = ({ method, path }: HttpCall): string => `${method} /${path.split('?')[0]}`;

/** Codes of network errors: of the operating system, of TLS negotiation, and of certificates that are not trusted. */
const NETWORK =
  /^(?:E[A-Z]+|(?:ERR_(?:SSL|TLS)|CERT|CRL|DEPTH|HOSTNAME|INVALID_CA|PATH_LENGTH|SELF_SIGNED|UNABLE)_[A-Z_\d]+)$/;

const TIMEOUTS = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ETIMEDOUT',
]);

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
        const retryAfterMs = millisecondsOf(reply.headers['retry-after']);
        const content = reply.headers[CONTENT_HEADER]?.toString();
        return {
          status: reply.statusCode,
          text: await reply.body.text(),
          ...(retryAfterMs !== undefined && { retryAfterMs }),
          ...(content !== undefined && { content }),
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
  return new NoAnswerError(`${address}: ${systemReason(error)}`, {
    cause: error,
    isTimeout: TIMEOUTS.has(code),
  });
};

/** Read `Retry-After` in its two forms, seconds and a date; `undefined` for anything else. */
const millisecondsOf = (header: string | string[] | undefined): number | undefined => {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (text === undefined || text === '') return undefined;
  const wantedMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(wantedMs) ? Math.max(0, Math.ceil(wantedMs)) : undefined;
};
