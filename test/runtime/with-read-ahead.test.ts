import { describe, expect, test } from 'vitest';
import { withReadAhead } from '../../src/runtime/batches.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A sequence and work on it, with a word for each step of both. */
const steps = () => {
  const told: string[] = [];
  const doors: PromiseWithResolvers<void>[] = [];
  return {
    told,
    doors,
    items: async function* (length: number): AsyncGenerator<number> {
      for (let item = 1; item <= length; item += 1) {
        told.push(`read ${item}`);
        yield item;
      }
    },
    work: async (item: number) => {
      told.push(`begun ${item}`);
      await settled();
      told.push(`prepared ${item}`);
      return async (): Promise<void> => {
        const door = Promise.withResolvers<void>();
        doors.push(door);
        await door.promise;
        told.push(`done ${item}`);
      };
    },
  };
};

/** Waits until so many items are being done, and one turn more. */
const begun = async (doors: readonly unknown[], count: number): Promise<void> => {
  while (doors.length < count) await settled();
  await settled();
};

describe('work beside the getting ready of the next item', () => {
  test('is done one after the other, while one item more is read', async () => {
    const { told, doors, items, work } = steps();
    const all = withReadAhead(items(3), work);
    await begun(doors, 1);
    expect(told).toEqual(['read 1', 'begun 1', 'prepared 1', 'read 2']);
    doors[0]?.resolve();
    await begun(doors, 2);
    expect(told.slice(4)).toEqual(['done 1', 'begun 2', 'prepared 2', 'read 3']);
    doors[1]?.resolve();
    await begun(doors, 3);
    doors[2]?.resolve();
    await all;
    expect(told.slice(8)).toEqual(['done 2', 'begun 3', 'prepared 3', 'done 3']);
  });

  test('that fails ends it, and nothing more is begun', async () => {
    const { told, doors, items, work } = steps();
    const all = withReadAhead(items(5), work);
    await begun(doors, 1);
    const full = new Error('the disk is full');
    doors[0]?.reject(full);
    await expect(all).rejects.toBe(full);
    expect(told).toEqual(['read 1', 'begun 1', 'prepared 1', 'read 2']);
  });

  test('is over before a sequence that breaks is told', async () => {
    const { told, doors, work } = steps();
    const broken = new Error('broken');
    async function* breaking(): AsyncGenerator<number> {
      yield 1;
      throw broken;
    }
    const all = withReadAhead(breaking(), work).catch((error: unknown) => {
      told.push('told');
      return error;
    });
    await begun(doors, 1);
    expect(told).toEqual(['begun 1', 'prepared 1']);
    doors[0]?.resolve();
    expect(await all).toBe(broken);
    expect(told).toEqual(['begun 1', 'prepared 1', 'done 1', 'told']);
  });
});
