import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
type Pages = Record<string, string | Buffer | Answer>;

/** A publisher of files on this machine: what it has by path, and what it was asked for. */
export const publisher = async (
  first: Pages,
): Promise<{
  readonly url: string;
  readonly asked: string[];
  readonly server: Server;
  readonly pages: Pages;
}> => {
  const asked: string[] = [];
  const pages: Pages = { ...first };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const page = pages[path];
    if (typeof page === 'function') page(response, request);
    else if (page === undefined) response.writeHead(404).end('not here');
    else response.end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { pages, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
};

/** A rate file of Nebraska: the state, Dakota County and Omaha at a rate. */
export const nebraska = (omaha = '0.0200'): string =>
  [
    '31,45,31,0.0550,0.0550,0.0550,0.0550,20061001,29991231',
    '31,00,043,0.0050,0.0050,0.0050,0.0050,20060101,20991231',
    `31,01,37000,${omaha},${omaha},${omaha},${omaha},20061001,99991231`,
    '',
  ].join('\n');
