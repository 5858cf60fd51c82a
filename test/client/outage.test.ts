import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type HttpCall, type HttpReply, NoAnswerError } from '../../src/client/http-tax-service.ts';
import { RETRY_DEFAULT, withRetry } from '../../src/client/remote-tax-service.ts';

const CALL: HttpCall = { method: 'GET', path: 'categories' };
const OK: HttpReply = { status: 200, text: '{}' };
const busy = (retryAfterMs: number): HttpReply => ({ status: 429, text: '{}', retryAfterMs });
const FAST = { ...RETRY_DEFAULT, retries: 2, firstPauseMs: 1, pauseMaxMs: 1 };

describe('an outage', () => {
  test('is a call that fails for good: it ends the pause of every other call, and nothing is sent from then on', async () => {
    let calls = 0;
    const send = withRetry(
      async ({ path }) => {
        calls += 1;
        if (path === 'slow') throw new NoAnswerError('the connection was reset');
        return busy(3_600_000);
      },
      { ...FAST, firstPauseMs: 600_000, pauseMaxMs: 600_000 },
    );
    const outage = { code: 'E_SERVICE_UNAVAILABLE', recovery: 'retry' };
    const slow = send({ ...CALL, path: 'slow' });
    await pause(20);
    await Promise.all([slow, send(CALL)].map((call) => expect(call).rejects.toMatchObject(outage)));
    await expect(send(CALL)).rejects.toMatchObject(outage);
    expect(calls).toBe(2);
  });
});

describe('a service that asks to be left alone', () => {
  test('is left alone by every call, not only by the one that it refused', async () => {
    let calls = 0;
    const send = withRetry(async () => {
      calls += 1;
      return calls === 1 ? busy(300) : OK;
    }, FAST);
    const first = send(CALL);
    await pause(20);
    const other = send(CALL);
    await pause(100);
    expect(calls).toBe(1);
    await Promise.all([first, other]);
    expect(calls).toBe(3);
  });

  test('for longer than anybody waits ends the run after one try', async () => {
    let calls = 0;
    const send = withRetry(async () => {
      calls += 1;
      return busy(3_600_000);
    }, FAST);
    await expect(send(CALL)).rejects.toMatchObject({
      code: 'E_SERVICE_UNAVAILABLE',
      message: expect.stringContaining('wants to be left alone for 3600 s'),
    });
    expect(calls).toBe(1);
  });

  test('is not waited for any more once the process was asked to end', async () => {
    const ending = new AbortController();
    const send = withRetry(async () => busy(60_000), { ...FAST, ending: ending.signal });
    const call = send(CALL);
    await pause(20);
    ending.abort();
    await expect(call).rejects.toMatchObject({ code: 'E_SERVICE_UNAVAILABLE' });
  });

  test('while it serves others holds only the calls that it refused', async () => {
    const ending = new AbortController();
    const send = withRetry(async ({ path }) => (path === 'held' ? busy(60_000) : OK), {
      ...FAST,
      ending: ending.signal,
    });
    const held = send({ ...CALL, path: 'held' });
    // Held by the refusal, the second of these would be served a minute later, after the call that was refused.
    const others = async (): Promise<string> => {
      for (let left = 16; left > 0; left -= 1) await send(CALL);
      return 'served';
    };
    await expect(Promise.race([held, others()])).resolves.toBe('served');
    ending.abort();
    await expect(held).rejects.toMatchObject({ code: 'E_SERVICE_UNAVAILABLE' });
  });

  test('while it serves others is tried on, however often it refuses one call', async () => {
    let refusals = 0;
    const send = withRetry(async ({ path }) => {
      await pause(1);
      if (path !== 'held' || refusals === 10) return OK;
      refusals += 1;
      return busy(20);
    }, FAST);
    let isHeld = true;
    const held = send({ ...CALL, path: 'held' }).finally(() => {
      isHeld = false;
    });
    const others = async (): Promise<void> => {
      while (isHeld) await send(CALL);
    };
    await Promise.all([held, others(), others()]);
    expect(refusals).toBe(10);
  });
});
