import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Asked, Connection } from './http-load.ts';

type Latencies = { readonly milliseconds: readonly number[]; readonly refused: number };

/**
 * Requests at times that do not depend on the answers, so many a second, spaced as those of independent callers are. Each is
 * timed from the moment at which it was due: one that waits because all connections wait for the server counts with its wait.
 */
export const openLoad = async (
  connections: readonly Connection[],
  {
    perSecond,
    seconds,
    status,
  }: { readonly perSecond: number; readonly seconds: number; readonly status: number },
  next: () => Asked,
): Promise<Latencies> => {
  const milliseconds: number[] = [];
  let refused = 0;
  const free = [...connections];
  const waiting: number[] = [];
  const underWay = new Set<Promise<void>>();
  const begin = (connection: Connection, due: number): void => {
    const heard = ({ status: answered }: Answer): void => {
      milliseconds.push(performance.now() - due);
      if (answered !== status) refused += 1;
      const first = waiting.shift();
      if (first === undefined) free.push(connection);
      else begin(connection, first);
    };
    const asked = connection.ask(next()).then(heard);
    underWay.add(asked);
    void asked.finally(() => underWay.delete(asked));
  };
  const start = performance.now();
  let due = start;
  while (due < start + seconds * 1_000) {
    if (due > performance.now()) await pause(1);
    while (due <= performance.now()) {
      const connection = free.shift();
      if (connection) begin(connection, due);
      else waiting.push(due);
      due += (-Math.log(1 - Math.random()) * 1_000) / perSecond;
    }
  }
  while (underWay.size > 0) await Promise.all(underWay);
  return { milliseconds: milliseconds.sort((left, right) => left - right), refused };
};
