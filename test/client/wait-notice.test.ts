import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitNotice } from '../../src/client/remote-tax-service.ts';
import { type HttpReply, NoAnswerError, type Transport } from '../../src/client/transport.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CALL: Parameters<Transport>[0] = { method: 'GET', path: 'categories' };
const REPLY: HttpReply = { status: 200, text: '' };

const watched = (send: Transport) => {
  const told: string[] = [];
  const notice = waitNotice(
    (text) => told.push(text),
    () => Date.now(),
  );
  return { told, notice, send: notice.watchCalls(notice.watchWire(send)) };
};

const after = (ms: number, reply: HttpReply = REPLY): Promise<HttpReply> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(reply), ms);
  });

test('a wait for the service is said after three seconds, and again when it has doubled', async () => {
  const { told, send } = watched(() => after(20_000));
  const call = send(CALL);
  await vi.advanceTimersByTimeAsync(2_500);
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(17_500);
  await call;
  expect(told).toEqual([
    'waiting for the tax service for 3 s',
    'waiting for the tax service for 6 s',
    'waiting for the tax service for 12 s',
  ]);
});

test('a service that answers calls one after the other keeps no one waiting', async () => {
  const { told, send } = watched(() => after(2_000));
  const calls = (async () => {
    for (let count = 0; count < 5; count += 1) await send(CALL);
  })();
  await vi.advanceTimersByTimeAsync(10_000);
  await calls;
  expect(told).toEqual([]);
});

test.for([
  ['that fails', async () => ({ ...REPLY, status: 503 }), ': it answered 503 and is asked again'],
  ['that asks for a pause', async () => ({ ...REPLY, status: 429 }), ': it asks for a pause (429)'],
  [
    'that cannot be reached',
    async () => {
      throw new NoAnswerError('connection refused');
    },
    ': connection refused; it is asked again',
  ],
] as const)('a service %s is told with the reason', async ([, wire, reason]) => {
  const told: string[] = [];
  const notice = waitNotice(
    (text) => told.push(text),
    () => Date.now(),
  );
  const attempt = notice.watchWire(wire as Transport);
  const call = notice.watchCalls(async (given) => {
    await attempt(given).catch(() => {});
    return after(4_000);
  })(CALL);
  await vi.advanceTimersByTimeAsync(4_000);
  await call;
  expect(told).toEqual([`waiting for the tax service for 3 s${reason}`]);
});
