import type { RequestListener, Server } from 'node:http';
import { ServiceRefusal } from '../../contract/refusal.ts';

const { body } = new ServiceRefusal(503, 'the service has more requests than it can answer soon, try again');
const TEXT = JSON.stringify(body);
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(TEXT),
  'retry-after': '1',
};

/**
 * Refuse at once what would wait behind too many others, so that the wait of those that are taken stays bounded. It is
 * done before anything else is, because under overload most of what arrives is refused. A request counts until the turn of
 * the event loop in which it is answered is over: calculations are answered in the turn in which they are read, and
 * their callers wait for the whole of it.
 */
export const boundedLoad = (
  server: Server,
  {
    waitingMax,
    path,
    onRefusal = () => {},
  }: { readonly waitingMax: number; readonly path: string; readonly onRefusal?: (() => void) | undefined },
): void => {
  const [answer] = server.listeners('request') as RequestListener[];
  let waiting = 0;
  const leave = () => {
    waiting -= 1;
  };
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (waiting >= waitingMax && request.url?.startsWith(path)) {
      onRefusal();
      response.writeHead(503, HEADERS).end(TEXT);
      return;
    }
    waiting += 1;
    response.once('close', () => setImmediate(leave));
    answer?.(request, response);
  });
};
