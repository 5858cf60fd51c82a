import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** What happens to every call while the service is out; in those below the line, after it has done its work. */
export const OUTAGES = {
  'refuses connections': 'before',
  'resets connections': 'before',
  'answers 503': 'before',
  'wants to be left alone for an hour': 'before',
  'does not know the key any more': 'before',
  'says nothing': 'after',
  'loses its answers': 'after',
  'breaks off its answers': 'after',
  'is hidden by the page of a proxy': 'after',
} as const;
export type Outage = keyof typeof OUTAGES;

/** A service in front of another one, which is out from the nth call of a kind until it is repaired. */
export const failingService = async (
  behind: string,
  { outage, method, path, nth }: { outage: Outage; method: string; path: string; nth: number },
) => {
  let calls = 0;
  let state: 'whole' | 'out' | 'repaired' = 'whole';
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.method === method && request.url?.startsWith(`/v2/${path}`)) calls += 1;
    if (calls === nth && state === 'whole') {
      state = 'out';
      if (outage === 'refuses connections') server.close();
    }
    const isOut = state === 'out';
    if (isOut && OUTAGES[outage] === 'before') return failures[outage](response, '');
    const reply = await fetch(new URL(request.url ?? '/', behind), {
      method: request.method ?? 'GET',
      headers: { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' },
      ...(body !== '' && { body }),
    });
    const said = await reply.text();
    if (isOut) return failures[outage](response, said);
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(said);
  });
  const listen = (port: number): Promise<unknown> => once(server.listen(port, '127.0.0.1'), 'listening');
  await listen(0);
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${port}/v2/`,
    repair: async () => {
      state = 'repaired';
      server.closeAllConnections();
      if (!server.listening) await listen(port);
    },
  };
};

const json = { 'content-type': 'application/json' };

const failures: Readonly<Record<Outage, (response: ServerResponse, said: string) => void>> = {
  'refuses connections': ({ socket }) => void socket?.destroy(),
  'resets connections': ({ socket }) => void socket?.resetAndDestroy(),
  'answers 503': (response) => void response.writeHead(503, json).end('{}'),
  'wants to be left alone for an hour': (response) =>
    void response.writeHead(429, { ...json, 'retry-after': '3600' }).end('{}'),
  'does not know the key any more': (response) =>
    void response.writeHead(401, json).end('{"status":401,"error":"Unauthorized","detail":"Not authorized"}'),
  'says nothing': () => {},
  'loses its answers': ({ socket }) => void socket?.destroy(),
  'breaks off its answers': (response, said) => {
    response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(said) });
    response.write(said.slice(0, said.length / 2), () => response.socket?.destroy());
  },
  'is hidden by the page of a proxy': (response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Back soon</html>'),
};
