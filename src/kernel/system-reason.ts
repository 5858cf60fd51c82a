/** Words for the error codes of the operating system and of the HTTP client. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not',
  EADDRINUSE: 'it is in use',
  EADDRNOTAVAIL: 'this machine has no such address',
  EAI_AGAIN: 'its name cannot be looked up now',
  ECONNREFUSED: 'nothing answers there',
  ECONNRESET: 'it ended the connection',
  EEXIST: 'a file is where its folder should be',
  EHOSTUNREACH: 'no network leads there',
  EISDIR: 'it is a folder',
  ENETUNREACH: 'no network leads there',
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of its path is a file',
  ENOTFOUND: 'no one knows its name',
  EPERM: 'this user may not',
  EPIPE: 'it ended the connection',
  EROFS: 'its file system can only be read',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_SOCKET: 'it ended the connection',
};

/** Explain why a file or an address cannot be used, in words with the code, or else with the message of the error. */
export const systemReason = (error: unknown): string => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const words = REASONS[String(code)];
  return words === undefined ? String(message || code) : `${words} (${code})`;
};
