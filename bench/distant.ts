import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Distant = { readonly url: string; readonly stop: () => void };

/** Makes a service distant: behind the address that it returns each answer comes so many milliseconds later. */
export const distant = async (url: string, milliseconds: number): Promise<Distant> => {
  const { hostname: host, port, pathname } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  const server = createServer((asked, answer) => {
    const { method, headers, url: path } = asked;
    const passed = request({ host, port, method, headers, path, agent }, (given) => {
      setTimeout(() => {
        answer.writeHead(given.statusCode ?? 502, given.headers);
        given.pipe(answer);
      }, milliseconds);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
};
