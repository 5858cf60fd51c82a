import { errors, Pool } from 'undici';
import { type HttpCall, NoAnswerError, type Transport } from './transport.ts';

export type PoolOptions = {
  /** The base address, which ends with the version segment: `https://api.example.com/v2/`. */
  readonly url: string;
  readonly key: string;
  /** Connections, and so calls in flight, at the most. */
  readonly connections: number;
  readonly timeoutMs: number;
  readonly apiVersion?: string;
};

/** A base address has a trailing slash, so that paths can be added to it. */
const withSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`);

/** Calls over a pool of kept connections, TLS 1.2 at least. `close` waits for what is in flight. */
export const poolTransport = (
  options: PoolOptions,
): { readonly send: Transport; readonly close: () => Promise<void> } => {
  const base = new URL(withSlash(options.url));
  const pool = new Pool(base.origin, {
    connections: options.connections,
    pipelining: 1,
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
    connect: { timeout: options.timeoutMs, minVersion: 'TLSv1.2' },
  });
  const headersOf = ({ body }: HttpCall) => ({
    authorization: `Bearer ${options.key}`,
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(options.apiVersion !== undefined && { 'x-api-version': options.apiVersion }),
  });
  return {
    close: () => pool.close(),
    send: async (call) => {
      try {
        const reply = await pool.request({
          method: call.method,
          path: `${base.pathname}${call.path}`,
          headers: headersOf(call),
          body: call.body ?? null,
        });
        const text = await reply.body.text();
        const retryAfterMs = millisecondsOf(reply.headers['retry-after']);
        return { status: reply.statusCode, text, ...(retryAfterMs !== undefined && { retryAfterMs }) };
      } catch (error) {
        throw isNetworkError(error) ? new NoAnswerError((error as Error).message, { cause: error }) : error;
      }
    },
  };
};

const isNetworkError = (error: unknown): boolean =>
  error instanceof errors.UndiciError ||
  /^E[A-Z]+$/.test(String((error as NodeJS.ErrnoException).code ?? ''));

const millisecondsOf = (header: string | string[] | undefined): number | undefined => {
  const seconds = Number(Array.isArray(header) ? header[0] : header);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds * 1000) : undefined;
};
