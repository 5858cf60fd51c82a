import { once } from 'node:events';
import { connect } from 'node:net';

export type Asked = { readonly method: string; readonly path: string; readonly body?: object };
export type Answer = { readonly status: number; readonly text: string; readonly milliseconds: number };
export type Connection = {
  readonly ask: (asked: Asked) => Promise<Answer>;
  readonly end: () => void;
};

const HEAD_END = '\r\n\r\n';

/**
 * One kept connection of a load generator. It writes and reads HTTP by hand, because on a machine that it shares with
 * the server a complete client costs more than the service that it measures.
 */
export const openConnection = async (url: string, key: string): Promise<Connection> => {
  const { hostname, port, pathname } = new URL(url);
  const answers = reader();
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    // All answers are read into one buffer. With a new one for each, the load would pause to collect garbage.
    onread: { buffer: Buffer.allocUnsafe(READ_BYTES), callback: answers.heard },
  });
  await once(socket, 'connect');
  for (const event of ['error', 'close'] as const) socket.on(event, answers.ended);
  const head = `Host: ${hostname}\r\nAuthorization: Bearer ${key}\r\n`;
  return {
    ask: async ({ method, path, body }) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const content = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
      const start = performance.now();
      socket.write(
        `${method} ${pathname}${path} HTTP/1.1\r\n${head}${text === '' ? '' : content}\r\n${text}`,
      );
      const answer = await answers.next();
      return { ...answer, milliseconds: performance.now() - start };
    },
    end: () => socket.destroy(),
  };
};

type Heard = Omit<Answer, 'milliseconds'>;

const READ_BYTES = 64 * 1024;

/** Reads one answer after the other out of a buffer that is filled again and again; fails when the connection ends. */
const reader = () => {
  /** Copies of what was read of an answer that is not complete. */
  let parts: Buffer[] = [];
  let isOver = false;
  let resolve: (answer: Heard) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const over = () => new Error('the connection has ended');
  let missing = 0;
  return {
    heard: (bytes: number, buffer: Uint8Array): boolean => {
      const read = Buffer.from(buffer.buffer, buffer.byteOffset, bytes);
      missing -= bytes;
      if (missing > 0) return parts.push(Buffer.from(read)) > 0;
      const all = parts.length === 0 ? read : Buffer.concat([...parts, read]);
      const answer = answerIn(all);
      missing = typeof answer === 'number' ? answer : 0;
      parts = typeof answer === 'number' ? [Buffer.from(all)] : [];
      if (typeof answer !== 'number') resolve(answer);
      return true;
    },
    ended: () => {
      isOver = true;
      reject(over());
    },
    next: (): Promise<Heard> =>
      new Promise((settle, fail) => {
        if (isOver) return fail(over());
        resolve = settle;
        reject = fail;
      }),
  };
};

/** The answer that these bytes are, or how many of its bytes are missing at least. */
const answerIn = (all: Buffer): Heard | number => {
  const end = all.indexOf(HEAD_END);
  if (end < 0) return 1;
  const head = all.toString('latin1', 0, end);
  const from = end + HEAD_END.length;
  const to = from + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  if (all.byteLength < to) return to - all.byteLength;
  return { status: Number(head.slice(9, 12)), text: all.toString('utf8', from, to) };
};
