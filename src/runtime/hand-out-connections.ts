import type { ChildProcess } from 'node:child_process';
import type { Worker } from 'node:cluster';

/** A process as far as it takes connections. */
export type Taker = Pick<Worker, 'isConnected'> & {
  readonly process: Pick<ChildProcess, 'send' | 'on' | 'once'>;
};

type Send = (message: unknown, handle?: unknown, ...more: unknown[]) => boolean;

/** A connection that no process has answered yet, whether it takes it. */
type InHand = { readonly args: Parameters<Send>; readonly taker: Taker };

/**
 * Node has one connection on its way to each process, and sends the next one where one was taken first: of connections that
 * arrive together most go to the process that happens to be quick, and stay there. Here they go to the processes in turn. One
 * that a process has not answered when it is gone goes to the next; of one that it has refused, Node knows by itself. Both is told by
 * the numbers of messages: a connection that was refused may be at another process before the first one is gone.
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
    // Everything that it has said was heard by then, which is not so when it has ended.
    child.once('disconnect', () => gone(worker));
  };
};

type Connection = { readonly close: () => void; readonly fd: number };

const isConnection = (handle: unknown): handle is Connection => handle !== null && typeof handle === 'object';

/** Node numbers the messages to all processes together, and an answer has the number of its message. */
const numberOf = (message: unknown): unknown => (message as { readonly seq?: number }).seq;
const answeredBy = (message: unknown): unknown => (message as { readonly ack?: number }).ack;
