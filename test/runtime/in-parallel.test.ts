import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inParallel } from '../../src/runtime/batches.ts';

/** Work that waits until it is told to go on, so that a test decides what is in flight. */
const gates = () => {
  const waiting = new Map<number, { open: () => void; fail: (error: unknown) => void }>();
  const started: number[] = [];
  return {
    started,
    work: (item: number) => {
      started.push(item);
      return new Promise<string>((resolve, reject) => {
        waiting.set(item, { open: () => resolve(`done ${item}`), fail: reject });
      });
    },
    open: async (item: number) => {
      waiting.get(item)?.open();
      await settled();
    },
    fail: async (item: number, error: unknown) => {
      waiting.get(item)?.fail(error);
      await settled();
    },
  };
};

/** Let everything run that can run without another answer. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('work in parallel', () => {
  test('never has more in flight than its limit, and does every item once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 3 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 8 }),
        async (turns, limit) => {
          let inFlight = 0;
          let most = 0;
          const results = await inParallel(turns, limit, async (count) => {
            inFlight += 1;
            most = Math.max(most, inFlight);
            for (let turn = 0; turn < count; turn += 1) await settled();
            inFlight -= 1;
            return count;
          });
          expect(results).toEqual(turns);
          expect(most).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('a failure in parallel work', () => {
  test('starts nothing more, and is told only when what was in flight has settled', async () => {
    const { work, open, fail, started } = gates();
    let told: unknown;
    const all = inParallel([1, 2, 3, 4, 5], 2, work).catch((error: unknown) => {
      told = error;
    });
    await settled();
    await fail(1, 'the service is down');
    expect(started).toEqual([1, 2]);
    expect(told).toBeUndefined();
    await open(2);
    await all;
    expect(told).toBe('the service is down');
    expect(started).toEqual([1, 2]);
  });
});
