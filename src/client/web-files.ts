import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { type FileSource, fetchRefused, fetchUnavailable, type WantedFile } from '../contract/file-source.ts';
import { isDiskFailure } from '../kernel/disk-failure.ts';
import { TieoutError } from '../kernel/errors.ts';
import { isNetworkError, isTimeout } from './transport.ts';

export type WebOptions = {
  /** The user agent of Tieout. */
  readonly program: string;
  /** The proxy of the network, if it has one, and the hosts that are reached without it. */
  readonly proxy: { readonly https: string; readonly http: string; readonly none: string };
  /** How long a publisher may send nothing. */
  readonly silenceMs?: number;
  readonly bytesMax?: number;
};

/** The largest official files have some fifty megabytes packed; a larger download is not a rate file. */
const BYTES_MAX = 600_000_000;
const SILENCE_MS = 60_000;
const REDIRECTS_MAX = 5;
/** Maximum size of a page of links. */
const PAGE_BYTES_MAX = 20_000_000;

type Reply = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'> & { readonly url: URL };

/** Fetch files from the addresses of their publishers, over HTTPS, through the proxy of the network if it has one. */
export const webFiles = (options: WebOptions): FileSource & { readonly close: () => Promise<void> } => {
  const { proxy, silenceMs = SILENCE_MS, bytesMax = BYTES_MAX } = options;
  const agent = new EnvHttpProxyAgent({
    httpsProxy: proxy.https,
    httpProxy: proxy.http,
    noProxy: proxy.none,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
    connect: { timeout: silenceMs, minVersion: 'TLSv1.2' },
  });

  /** Fetch an address, following redirects on the same host. */
  const answer = async ({ address, page }: WantedFile): Promise<Reply> => {
    let url = new URL(address);
    for (let turn = 0; turn <= REDIRECTS_MAX; turn += 1) {
      const reply = await request(url, {
        dispatcher: agent,
        headers: { 'user-agent': options.program, accept: '*/*', 'accept-encoding': 'identity' },
      });
      if (reply.statusCode < 300) return { ...reply, url };
      await reply.body.dump();
      const location = [reply.headers['location']].flat()[0];
      if (reply.statusCode >= 400 || location === undefined)
        throw refusedStatus(reply.statusCode, url.href, page);
      const next = new URL(location, url);
      if (next.host !== url.host || (url.protocol === 'https:' && next.protocol !== 'https:'))
        throw fetchRefused(`${url.href} leads to another place, ${next.origin}: the file has moved`, page);
      url = next;
    }
    throw fetchRefused(`${address} leads from one address to another without end`, page);
  };

  const inWords = async <Result>(wanted: WantedFile, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw networkProblem(error, wanted);
    }
  };

  return {
    knowsAddresses: true,
    listed: (page) =>
      inWords({ address: page, page }, async () => {
        const { body, url } = await answer({ address: page, page });
        const pieces: Buffer[] = [];
        for await (const piece of body.compose(limited(PAGE_BYTES_MAX, page, page)))
          pieces.push(piece as Buffer);
        return linksOf(Buffer.concat(pieces).toString('utf8'), url);
      }),
    take: (wanted, path) =>
      inWords(wanted, async () => {
        const { body } = await answer(wanted);
        const part = `${path}.part`;
        try {
          await pipeline(body, limited(bytesMax, wanted.address, wanted.page), createWriteStream(part));
          await rename(part, path);
        } finally {
          await rm(part, { force: true });
        }
      }),
    close: () => agent.close(),
  };
};

const refusedStatus = (status: number, address: string, page: string): Error => {
  const isPassing = status === 408 || status === 429 || status >= 500;
  const message = `${address} answers ${status}`;
  if (isPassing) return fetchUnavailable(message, page);
  const meaning = status === 404 || status === 410 ? 'the file has moved' : 'it is not given out';
  return fetchRefused(`${message}: ${meaning}`, page);
};

/** Pass bytes on, up to a limit. */
const limited = (bytesMax: number, address: string, page: string): Transform => {
  let bytes = 0;
  return new Transform({
    transform(piece: Buffer, _, done) {
      bytes += piece.length;
      if (bytes > bytesMax)
        done(fetchRefused(`${address} sends more than ${bytesMax} bytes: it is not a rate file`, page));
      else done(null, piece);
    },
  });
};

/** List the addresses on the same host that a page links to. */
const linksOf = (html: string, page: URL): readonly string[] =>
  [...html.matchAll(/\bhref\s*=\s*["']?([^"'\s>]+)/gi)].flatMap(([, text = '']) => {
    const address = text.replaceAll('&amp;', '&');
    const url = URL.canParse(address, page.href) ? new URL(address, page) : undefined;
    return url?.host === page.host && url.protocol === page.protocol ? [url.href] : [];
  });

const networkProblem = (error: unknown, { address, page }: WantedFile): unknown => {
  const { code = '', path, message } = error as NodeJS.ErrnoException;
  const isOfDisk = path !== undefined || isDiskFailure(code);
  if (error instanceof TieoutError || isOfDisk || !isNetworkError(error)) return error;
  const what = isTimeout(error) ? 'was silent for too long' : `was not received: ${message}`;
  return fetchUnavailable(`${address} ${what}`, page, error);
};
