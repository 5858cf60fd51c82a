import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchWriter } from '../../src/runtime/batch-writer.ts';

/** A store that writes when it is told to. */
const store = () => {
  const groups: (readonly number[])[] = [];
  const doors: PromiseWithResolvers<void>[] = [];
  return {
    groups,
    write: (rows: readonly number[]) => {
      groups.push(rows);
      const door = Promise.withResolvers<void>();
      doors.push(door);
      return door.promise;
    },
    open: async () => {
      doors.shift()?.resolve();
      await settled();
    },
    fail: async (error: Error) => {
      doors.shift()?.reject(error);
      await settled();
    },
  };
};

const settled = () => new Promise((resolve) => setTimeout(resolve, 2));

describe('rows kept in groups', () => {
  test('what arrives while a group is written makes up the next one', async () => {
    const { groups, write, open } = store();
    const keeper = batchWriter({ waitingMax: 2, write });
    const first = [1, 2].map(keeper.keep);
    const second = [3, 4, 5].map(keeper.keep);
    await settled();
    expect(groups).toEqual([[1, 2]]);
    await open();
    await Promise.all(first);
    expect(groups).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    await open();
    await Promise.all(second);
  });

  test('a row alone is kept without waiting for others', async () => {
    const { groups, write, open } = store();
    const keeper = batchWriter({ waitingMax: 100, write });
    const kept = keeper.keep(1);
    await settled();
    expect(groups).toEqual([[1]]);
    await open();
    await kept;
  });

  test('in a hurry what waits is written without a rest', async () => {
    const rest = 10;
    const groups: (readonly number[])[] = [];
    const write = async (rows: readonly number[]) => {
      groups.push(rows);
      await new Promise((resolve) => setTimeout(resolve, rest));
    };
    const keeper = batchWriter({ waitingMax: 100, write });
    await keeper.keep(1);
    const second = keeper.keep(2);
    await settled();
    expect(groups).toEqual([[1]]);
    keeper.flushNow();
    expect(groups).toEqual([[1], [2]]);
    await second;
    const third = keeper.keep(3);
    await settled();
    expect(groups).toEqual([[1], [2], [3]]);
    await third;
  });

  test('there is no room while too many are waiting', async () => {
    const { write, open } = store();
    const keeper = batchWriter({ waitingMax: 1, write });
    void keeper.keep(1);
    void keeper.keep(2);
    let isRoom = false;
    const room = keeper.ready().then(() => {
      isRoom = true;
    });
    await settled();
    expect(isRoom).toBe(false);
    await open();
    await open();
    await room;
  });

  test('a store that fails is asked no more, and everybody hears of it', async () => {
    const { groups, write, fail } = store();
    const keeper = batchWriter({ waitingMax: 1, write });
    const full = new Error('the disk is full');
    const kept = keeper.keep(1);
    void keeper.keep(2);
    await fail(full);
    await expect(kept).rejects.toBe(full);
    await expect(keeper.drained()).rejects.toBe(full);
    await expect(keeper.ready()).rejects.toBe(full);
    expect(groups).toEqual([[1]]);
  });

  test('every row is kept once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.boolean(), { maxLength: 60 }),
        async (waitingMax, pauses) => {
          const kept: number[] = [];
          const keeper = batchWriter<number>({
            waitingMax,
            write: async (rows) => {
              await null;
              kept.push(...rows);
            },
          });
          for (const [row, isPause] of pauses.entries()) {
            await keeper.ready();
            void keeper.keep(row);
            if (isPause) await new Promise((resolve) => setImmediate(resolve));
          }
          await keeper.drained();
          expect(kept).toEqual([...pauses.keys()]);
        },
      ),
      { numRuns: 50 },
    );
  });
});
