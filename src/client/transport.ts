import { errors } from 'undici';

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

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException | undefined)?.code ?? '');

/** Whether an error of a call comes from the network; any other is a defect. */
export const isNetworkError = (error: unknown): boolean =>
  error instanceof errors.UndiciError || NETWORK.test(codeOf(error));

/** Whether the error is a timeout. */
export const isTimeout = (error: unknown): boolean => TIMEOUTS.has(codeOf(error));
