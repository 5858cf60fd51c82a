import type { Dispatcher } from 'undici';
import type { HttpReply } from './transport.ts';

type ReplyListener = {
  readonly answered: (reply: HttpReply) => void;
  readonly failed: (error: Error) => void;
};

/**
 * Puts one answer together as its pieces come in. A stream between the socket and the text costs as much as the rest
 * of a call.
 */
export const gatherReply = ({ answered, failed }: ReplyListener): Dispatcher.DispatchHandler => {
  const pieces: Buffer[] = [];
  let status = 0;
  let retryAfterMs: number | undefined;
  return {
    onRequestStart: () => {},
    onResponseStart: (_, statusCode, headers) => {
      status = statusCode;
      retryAfterMs = millisecondsOf(headers['retry-after']);
    },
    onResponseData: (_, piece) => void pieces.push(piece),
    onResponseEnd: () =>
      answered({ status, text: textOf(pieces), ...(retryAfterMs !== undefined && { retryAfterMs }) }),
    onResponseError: (_, error) => failed(error),
  };
};

const UTF_8 = new TextDecoder();

const textOf = (pieces: readonly Buffer[]): string => {
  const [first] = pieces;
  if (first === undefined) return '';
  return UTF_8.decode(pieces.length === 1 ? first : Buffer.concat(pieces));
};

/** `Retry-After` in its two forms, seconds and a date; `undefined` when it is neither. */
const millisecondsOf = (header: string | string[] | undefined): number | undefined => {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (text === undefined || text === '') return undefined;
  const wantedMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(wantedMs) ? Math.max(0, Math.ceil(wantedMs)) : undefined;
};
