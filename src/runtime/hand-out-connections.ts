import type { ChildProcess } from 'node:child_process';
import type { Worker } from 'node:cluster';

/** A process, reduced to what handing connections to it needs. */
export type Taker = Pick<Worker, 'isConnected'> & {
  readonly process: Pick<ChildProcess, 'send' | 'on' | 'once'>;
};

type Send = (message: unknown, handle?: unknown, ...more: unknown[]) => boolean;

/** A connection that its process has not yet accepted or refused. */
type InHand = { readonly args: Parameters<Send>; readonly taker: Taker };

/**
 * Hand connections to the serving processes in turn. Node keeps one connection in flight per process and sends the next
 * one where one was accepted first: most of a burst goes to the process that happens to be fast, and stays there. When
 * a process disconnects, its unanswered connections go to the next process; a refused one is handled by Node.
 * Connections are tracked by message number, because a refused one may be at another process before the first process
 * disconnects.
 */
export const handedOutInTurn = (serving: ReadonlyMap<number, Taker>): ((worker: Taker) => void) => {
  const sends = new WeakMap<Taker, Send>();
  const inHand = new Map<unknown, InHand>();
  let turn = 0;
  const nextTaker = (meant: Taker): Taker => {
    turn += 1;
    const takers = [...serving.values()].filter((worker) => worker.isConnected());
    return takers[turn % takers.length] ?? meant;
  };
  const hand = (taker: Taker, args: Parameters<Send>): boolean => {
    inHand.set(numberOf(args[0]), { args, taker });
    return (sends.get(taker) as Send)(...args);
  };
  const gone = (worker: Taker): void => {
    for (const [number, { args, taker }] of inHand) {
      const [, connection] = args;
      if (taker !== worker) continue;
      inHand.delete(number);
      if (!isConnection(connection) || connection.fd < 0) continue;
      const next = nextTaker(worker);
      if (next.isConnected()) hand(next, args);
      else connection.close();
    }
  };
  return (worker) => {
    const { process: child } = worker;
    sends.set(worker, (child.send as Send).bind(child));
    child.send = ((...args: Parameters<Send>): boolean =>
      isConnection(args[1])
        ? hand(nextTaker(worker), args)
        : (sends.get(worker) as Send)(...args)) as typeof child.send;
    child.on('internalMessage', (message: unknown) => inHand.delete(answeredBy(message)));
    // By then everything that it sent has been received; when it has merely exited, that is not certain.
    child.once('disconnect', () => gone(worker));
  };
};

type Connection = { readonly close: () => void; readonly fd: number };

const isConnection = (handle: unknown): handle is Connection => handle !== null && typeof handle === 'object';

/** Node numbers messages across all processes, and an answer has the number of its message. */
const numberOf = (message: unknown): unknown => (message as { readonly seq?: number }).seq;
const answeredBy = (message: unknown): unknown => (message as { readonly ack?: number }).ack;
