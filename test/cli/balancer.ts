import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { send } from '../contract/send.ts';

const LOOK_EVERY_MS = 100;

/**
 * A small load balancer: it looks at `/readyz` of each server, and passes requests on to those that are ready, in turn,
 * over connections that it keeps. It tries nothing twice.
 */
export const startBalancer = async (ports: readonly number[]) => {
  let ready: readonly number[] = ports;
  let turn = 0;
  const look = async (): Promise<void> => {
    const states = await Promise.all(
      ports.map((port) =>
        send(`http://127.0.0.1:${port}/readyz`, { agent: looking }).then(
          ({ status }) => status === 200,
          () => false,
        ),
      ),
    );
    ready = ports.filter((_, index) => states[index]);
  };
  const looking = new Agent({ keepAlive: false });
  const agent = new Agent({ keepAlive: true });
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  const server = createServer((asked, answer) => {
    turn += 1;
    const port = ready[turn % ready.length];
    const { method, headers, url: path } = asked;
    const passed = request({ host: '127.0.0.1', port, method, headers, path, agent }, (given) => {
      // How a connection behind the balancer ends is no matter of the client's.
      const { connection: _, ...kept } = given.headers;
      answer.writeHead(given.statusCode ?? 502, kept);
      given.pipe(answer);
    });
    passed.on('error', () => answer.writeHead(502).end());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/`,
    ready: () => ready,
    stop: () => {
      clearInterval(timer);
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
};
