import { errors } from 'undici';

/** One call of the interface, relative to the base address. */
export type HttpCall = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `transactions/orders/1001?provider=shopify` */
  readonly path: string;
  readonly body?: string;
  /** The caller can ask for less instead, so one that takes too long is not tried again. */
  readonly isDivisible?: boolean;
};

export type HttpReply = {
  readonly status: number;
  readonly text: string;
  /** How long the service asks to be left alone, when it says so. */
  readonly retryAfterMs?: number;
  /** The tax content that the answer was calculated by, where the service names it. */
  readonly content?: string;
};

/** Sends a call and hands back whatever is answered. @throws {NoAnswerError} when nothing is */
export type Transport = (call: HttpCall) => Promise<HttpReply>;

/** No answer came: refused, reset, timed out. Whether the service acted is not known. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly isTimeout: boolean;

  constructor(message: string, options: { readonly cause?: unknown; readonly isTimeout?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.isTimeout = options.isTimeout === true;
  }
}

/** What a person sees of a call: never its body, never a key. */
export const callName = ({ method, path }: HttpCall): string => `${method} /${path.split('?')[0]}`;

/** What the system refuses, what TLS cannot agree on, and certificates that no one vouches for. */
const NETWORK =
  /^(?:E[A-Z]+|(?:ERR_(?:SSL|TLS)|CERT|CRL|DEPTH|HOSTNAME|INVALID_CA|PATH_LENGTH|SELF_SIGNED|UNABLE)_[A-Z_\d]+)$/;

const TIMEOUTS = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ETIMEDOUT',
]);

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException | undefined)?.code ?? '');

/** Whether an error of a call comes from the network; any other is a defect. */
export const isNetworkError = (error: unknown): boolean =>
  error instanceof errors.UndiciError || NETWORK.test(codeOf(error));

/** Whether it is that nothing came in time. */
export const isTimeout = (error: unknown): boolean => TIMEOUTS.has(codeOf(error));
