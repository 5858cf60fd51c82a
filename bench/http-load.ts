import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

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
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  const read = reader(socket);
  const head = `Host: ${hostname}\r\nAuthorization: Bearer ${key}\r\n`;
  return {
    ask: async ({ method, path, body }) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const content = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
      const start = performance.now();
      socket.write(
        `${method} ${pathname}${path} HTTP/1.1\r\n${head}${text === '' ? '' : content}\r\n${text}`,
      );
      const answer = await read();
      return { ...answer, milliseconds: performance.now() - start };
    },
    end: () => socket.destroy(),
  };
};

/** Reads one answer after the other; fails when the connection ends. */
const reader = (socket: Socket): (() => Promise<{ readonly status: number; readonly text: string }>) => {
  let chunks: Buffer[] = [];
  let wanted = 0;
  let resolve: (answer: { status: number; text: string }) => void = () => {};
  let reject: (error: Error) => void = () => {};
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    const length = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (length < wanted) return;
    const all = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    chunks = [all];
    const end = all.indexOf(HEAD_END);
    if (end < 0) return;
    const head = all.toString('latin1', 0, end);
    wanted = end + HEAD_END.length + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (all.byteLength < wanted) return;
    const text = all.toString('utf8', end + HEAD_END.length, wanted);
    chunks = [];
    wanted = 0;
    resolve({ status: Number(head.slice(9, 12)), text });
  });
  for (const event of ['error', 'close'] as const) {
    socket.on(event, () => reject(new Error('the connection has ended')));
  }
  return () =>
    new Promise((settle, fail) => {
      if (socket.destroyed) return fail(new Error('the connection has ended'));
      resolve = settle;
      reject = fail;
    });
};
