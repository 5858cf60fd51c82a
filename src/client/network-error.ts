import { errors } from 'undici';

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
