import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { withCircuit, withRetry, withRetryAfter } from '../../src/client/calls.ts';
import { type HttpCall, type HttpReply, NoAnswerError } from '../../src/client/transport.ts';
import { TieoutError } from '../../src/kernel/errors.ts';

const CALL: HttpCall = { method: 'GET', path: 'categories' };
const OK: HttpReply = { status: 200, text: '{}' };
const lost = () => Promise.reject(new NoAnswerError('the connection was reset'));

/** A watch over a service that answers as told, by a clock that goes on a second with each call. */
const watched = (answers: (number: number) => Promise<HttpReply>, failuresMax: number, silenceMs = 0) => {
  let calls = 0;
  let outages = 0;
  const circuit = withCircuit(
    () => {
      calls += 1;
      return answers(calls);
    },
    {
      failuresMax,
      silenceMs,
      nowMs: () => calls * 1000,
      onOutage: () => {
        outages += 1;
      },
    },
  );
  const asked = async (times: number) => {
    const codes: string[] = [];
    for (let time = 0; time < times; time += 1) {
      codes.push(
        await circuit.send(CALL).then(
          ({ status }) => String(status),
          (error: Error) => (error instanceof TieoutError ? error.code : error.name),
        ),
      );
    }
    return codes;
  };
  return { asked, calls: () => calls, outages: () => outages, circuit };
};

describe('an outage', () => {
  test('is so many failures in a row, and from then on nothing is sent', async () => {
    const { asked, calls, outages } = watched(lost, 3);
    expect(await asked(5)).toEqual([
      'NoAnswerError',
      'NoAnswerError',
      'NoAnswerError',
      'E_SERVICE_UNAVAILABLE',
      'E_SERVICE_UNAVAILABLE',
    ]);
    expect([calls(), outages()]).toEqual([3, 1]);
  });

  test.for([
    ['an answer', OK],
    ['a refusal, which is an answer', { status: 404, text: '{}' }],
    ['a wish to be left alone, which is one, too', { status: 429, text: '{}' }],
  ] as const)('%s in between begins the count again', async ([, reply]) => {
    const { asked, outages } = watched((number) => (number % 3 === 0 ? Promise.resolve(reply) : lost()), 3);
    await asked(12);
    expect(outages()).toBe(0);
  });

  test('is none while the service has been silent for a short time only', async () => {
    const { asked, outages } = watched(lost, 3, 10_000);
    await asked(9);
    expect(outages()).toBe(0);
    await asked(1);
    expect(outages()).toBe(1);
  });

  test('ends the pause of every call that waits for its next try', async () => {
    const { circuit } = watched(lost, 2);
    const patient = { retries: 9, firstPauseMs: 600_000, pauseMaxMs: 600_000, restMaxMs: 0 };
    const send = withRetry(circuit.send, patient, { outage: circuit.outage });
    const first = send(CALL);
    const second = send(CALL);
    await expect(first).rejects.toMatchObject({ code: 'E_SERVICE_UNAVAILABLE', recovery: 'retry' });
    await expect(second).rejects.toMatchObject({ details: { isOutage: true } });
  });
});

describe('a service that asks to be left alone', () => {
  test('is left alone by every call, not only by the one that it refused', async () => {
    let nowMs = 0;
    const sentAt: number[] = [];
    const send = withRetryAfter(
      async () => {
        sentAt.push(nowMs);
        return sentAt.length === 1 ? { status: 429, text: '{}', retryAfterMs: 40 } : OK;
      },
      { restMaxMs: 1000, nowMs: () => nowMs, random: () => 0 },
    );
    await send(CALL);
    const other = send(CALL);
    await pause(5);
    expect(sentAt).toEqual([0]);
    nowMs = 40;
    await other;
    expect(sentAt).toEqual([0, 40]);
  });

  test('for longer than anybody waits ends the run after one try', async () => {
    let calls = 0;
    const send = withRetry(
      async () => {
        calls += 1;
        return { status: 429, text: '{}', retryAfterMs: 3_600_000 };
      },
      { retries: 9, firstPauseMs: 1, pauseMaxMs: 1, restMaxMs: 120_000 },
    );
    await expect(send(CALL)).rejects.toMatchObject({
      code: 'E_SERVICE_UNAVAILABLE',
      message: expect.stringContaining('wants to be left alone for 3600 s'),
    });
    expect(calls).toBe(1);
  });

  test.for([
    [true, 1, 'of which less can be asked for is not'],
    [false, 3, 'is'],
  ] as const)(
    'a call that takes too long and is divisible (%s) is sent %i times',
    async ([isDivisible, times]) => {
      let calls = 0;
      const send = withRetry(
        () => {
          calls += 1;
          return Promise.reject(new NoAnswerError('no answer in time', { isTimeout: true }));
        },
        { retries: 2, firstPauseMs: 1, pauseMaxMs: 1, restMaxMs: 1 },
      );
      await expect(send({ ...CALL, isDivisible })).rejects.toMatchObject({ code: 'E_SERVICE_UNAVAILABLE' });
      expect(calls).toBe(times);
    },
  );
});
