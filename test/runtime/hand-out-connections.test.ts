import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { handedOutInTurn, type Taker } from '../../src/runtime/hand-out-connections.ts';

/** Processes that note the connections they are sent, as node:cluster sends them, and answer when they are told to. */
const processes = (count: number) => {
  const serving = new Map<number, Taker>();
  const handOut = handedOutInTurn(serving);
  let messages = 0;
  const all = Array.from({ length: count }, (_, index) => {
    const got: { name: string; seq: number }[] = [];
    let isConnected = true;
    const child = Object.assign(new EventEmitter(), {
      send: ({ seq }: { seq: number }, handle?: { name: string }) => {
        if (handle) got.push({ name: handle.name, seq });
        return true;
      },
    });
    const worker = { process: child, isConnected: () => isConnected } as unknown as Taker;
    serving.set(index + 1, worker);
    handOut(worker);
    return {
      /** Node means a connection for this process. */
      mean: (connection: object) => {
        messages += 1;
        worker.process.send({ cmd: 'NODE_CLUSTER', act: 'newconn', seq: messages }, connection as never);
      },
      names: () => got.map(({ name }) => name),
      answer: (accepted: boolean) =>
        child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: got.at(-1)?.seq, accepted }),
      leave: () => {
        isConnected = false;
        child.emit('disconnect');
      },
    };
  });
  return all;
};

const connection = (name: string) => ({
  name,
  fd: 7,
  isClosed: false,
  close() {
    this.isClosed = true;
  },
});

test('connections go to the processes in turn, whichever they were meant for', () => {
  const [one, other] = processes(2);
  for (const name of ['a', 'b', 'c', 'd']) one?.mean(connection(name));
  expect([one?.names(), other?.names()].map((names) => names?.length)).toEqual([2, 2]);
});

test('what a process has not answered when it is gone goes to another, once', () => {
  const [one, other] = processes(2);
  one?.mean(connection('a'));
  expect(other?.names()).toEqual(['a']);
  other?.leave();
  expect(one?.names()).toEqual(['a']);
});

test('what a process refused before it left is not handed out a second time', () => {
  const [one, other, third] = processes(3);
  const a = connection('a');
  one?.mean(a);
  expect(other?.names()).toEqual(['a']);
  // It is being replaced: it refuses, and Node sends the connection again, for another process.
  other?.answer(false);
  third?.mean(a);
  const before = [one?.names(), third?.names()];
  expect(before.flat()).toEqual(['a']);
  other?.leave();
  expect([one?.names(), third?.names()]).toEqual(before);
});

test('what a process took before it died is its own', () => {
  const [one, other] = processes(2);
  one?.mean(connection('a'));
  other?.answer(true);
  other?.leave();
  expect(one?.names()).toEqual([]);
});

test('without a process a connection is closed', () => {
  const [one] = processes(1);
  const a = connection('a');
  one?.mean(a);
  one?.leave();
  expect(a.isClosed).toBe(true);
});
