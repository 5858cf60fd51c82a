import { type Agent, request } from 'node:http';

export type RawAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
};

/** Send one request exactly as it is given. */
export const send = (
  url: string,
  options: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Buffer | undefined;
    readonly agent?: Agent;
    /** Sent exactly as it is, in place of the path of the address. */
    readonly path?: string;
  } = {},
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { body, headers, ...rest } = options;
    const length = body === undefined ? undefined : String(Buffer.byteLength(body));
    const described = { ...(length !== undefined && { 'content-length': length }), ...headers };
    const sent = request(url, { ...rest, headers: described }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
