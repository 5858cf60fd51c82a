import { describe, expect, test } from 'vitest';
import { type Sharing, sharedInOrder } from '../../src/runtime/shared-in-order.ts';

async function* upTo(count: number): AsyncGenerator<number> {
  for (let item = 0; item < count; item += 1) yield item;
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 2));

/** All results, with who worked on which item. */
const shared = async (count: number, sharing: Partial<Sharing<number, string>>) => {
  const done: Record<'elsewhere' | 'here', number[]> = { elsewhere: [], here: [] };
  const results: string[] = [];
  const all = sharedInOrder<number, string>(upTo(count), {
    othersMax: 2,
    ...sharing,
    elsewhere: async (item) => {
      done.elsewhere.push(item);
      return sharing.elsewhere ? sharing.elsewhere(item) : `elsewhere ${item}`;
    },
    here: async (item) => {
      done.here.push(item);
      return `here ${item}`;
    },
  });
  for await (const result of all) results.push(result);
  return { ...done, results };
};

describe('work on items that is shared in their order', () => {
  test('is done here where there are no others', async () => {
    expect(await shared(3, { othersMax: 0 })).toEqual({
      elsewhere: [],
      here: [0, 1, 2],
      results: ['here 0', 'here 1', 'here 2'],
    });
  });

  test('comes in the order of the items, however late others are, and they never have more than they may', async () => {
    const doors = new Map<number, () => void>();
    const running = shared(7, {
      elsewhere: async (item) => {
        await new Promise<void>((open) => doors.set(item, open));
        return `elsewhere ${item}`;
      },
    });
    await settled();
    expect([...doors.keys()]).toEqual([0, 1]);
    for (const item of [1, 0]) doors.get(item)?.();
    await settled();
    for (const open of doors.values()) open();
    const { here, elsewhere, results } = await running;
    expect(here.length + elsewhere.length).toBe(7);
    expect(here).toEqual(expect.arrayContaining([2, 3]));
    expect(results.map((result) => Number(result.split(' ')[1]))).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test('is done here where it is not for the others', async () => {
    const { here, results } = await shared(4, { elsewhere: async () => undefined });
    expect(here.toSorted()).toEqual([0, 1, 2, 3]);
    expect(results).toEqual(['here 0', 'here 1', 'here 2', 'here 3']);
  });

  test('fails where its result is taken, after those before it', async () => {
    const taken: string[] = [];
    const all = sharedInOrder<number, string>(upTo(9), {
      othersMax: 9,
      elsewhere: async (item) => {
        if (item === 2) throw new Error('the third');
        return String(item);
      },
      here: async () => 'here',
    });
    const running = (async () => {
      for await (const result of all) taken.push(result);
    })();
    await expect(running).rejects.toThrow('the third');
    expect(taken).toEqual(['0', '1']);
  });
});
