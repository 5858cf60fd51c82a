import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rollingWindow } from '../../src/runtime/rolling-window.ts';

async function* sequence(length: number): AsyncGenerator<number> {
  for (let item = 0; item < length; item += 1) yield item;
}

/** Work that waits until it is told to go on. */
const gates = () => {
  const doors = new Map<number, PromiseWithResolvers<void>>();
  return {
    started: () => [...doors.keys()],
    work: (item: number): Promise<void> => {
      const door = Promise.withResolvers<void>();
      doors.set(item, door);
      return door.promise;
    },
    open: async (item: number) => {
      doors.get(item)?.resolve();
      await settled();
    },
    fail: async (item: number, error: Error) => {
      doors.get(item)?.reject(error);
      await settled();
    },
  };
};

const settled = () => new Promise((resolve) => setImmediate(resolve));
const BROKEN = new Error('broken');

describe('a rolling window', () => {
  test('takes the next item as soon as one is done, whichever that is', async () => {
    const { started, work, open } = gates();
    const all = rollingWindow(sequence(5), 3, work);
    await settled();
    expect(started()).toEqual([0, 1, 2]);
    await open(1);
    expect(started()).toEqual([0, 1, 2, 3]);
    for (const item of [3, 0, 2, 4]) await open(item);
    await all;
  });

  test('starts nothing after a failure, and settles what is in flight before it throws', async () => {
    const { started, work, open, fail } = gates();
    let isOver = false;
    const all = rollingWindow(sequence(9), 3, work).finally(() => {
      isOver = true;
    });
    all.catch(() => {});
    await settled();
    await fail(1, BROKEN);
    await open(0);
    expect([started(), isOver]).toEqual([[0, 1, 2], false]);
    await open(2);
    await expect(all).rejects.toBe(BROKEN);
  });

  test('settles what is in flight when the sequence breaks', async () => {
    const { started, work, open } = gates();
    const broken = async function* () {
      yield 0;
      throw BROKEN;
    };
    const all = rollingWindow(broken(), 3, work);
    all.catch(() => {});
    await settled();
    expect(started()).toEqual([0]);
    await open(0);
    await expect(all).rejects.toBe(BROKEN);
  });

  test('does everything once and never more at a time than allowed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 0, max: 60 }),
        async (most, length) => {
          let inFlight = 0;
          const done: number[] = [];
          await rollingWindow(sequence(length), most, async (item) => {
            inFlight += 1;
            expect(inFlight).toBeLessThanOrEqual(most);
            for (let turn = item % 3; turn > 0; turn -= 1) await settled();
            inFlight -= 1;
            done.push(item);
          });
          expect(done.sort((left, right) => left - right)).toEqual([...Array(length).keys()]);
        },
      ),
      { numRuns: 50 },
    );
  });
});
