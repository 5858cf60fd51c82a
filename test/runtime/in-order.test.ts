import { describe, expect, test } from 'vitest';
import { inOrder } from '../../src/runtime/in-order.ts';

const BROKEN = new Error('broken');

async function* sequence(length: number, end?: Error): AsyncGenerator<number> {
  for (let item = 0; item < length; item += 1) yield item;
  if (end) throw end;
}

/** What is taken of a sequence of results, and what ends it. */
const taken = async (results: AsyncIterable<number>) => {
  const found: number[] = [];
  let failure: unknown;
  try {
    for await (const result of results) found.push(result);
  } catch (error) {
    failure = error;
  }
  return { found, failure };
};

const pause = (turns: number): Promise<void> =>
  turns === 0 ? Promise.resolve() : new Promise((resolve) => setImmediate(() => resolve(pause(turns - 1))));

describe('work in order', () => {
  test('gives results in the order of the items, whichever is done first', async () => {
    const late = async (item: number) => {
      await pause(5 - item);
      return 10 * item;
    };
    expect(await taken(inOrder(sequence(5), 2, late))).toEqual({
      found: [0, 10, 20, 30, 40],
      failure: undefined,
    });
  });

  test('begins no more than is to be under way', async () => {
    let [begun, most] = [0, 0];
    const work = async (item: number) => {
      begun += 1;
      most = Math.max(most, begun);
      await pause(2);
      begun -= 1;
      return item;
    };
    await taken(inOrder(sequence(20), 3, work));
    expect(most).toBe(4);
  });

  test('throws a failure where its result would come, though a later one failed first', async () => {
    const later = new Error('later');
    const work = async (item: number) => {
      if (item === 3) throw later;
      await pause(3);
      if (item === 1) throw BROKEN;
      return item;
    };
    expect(await taken(inOrder(sequence(6), 4, work))).toEqual({ found: [0], failure: BROKEN });
  });

  test('tells what came before the sequence broke, and then that it broke', async () => {
    const work = async (item: number) => {
      await pause(2);
      return item;
    };
    expect(await taken(inOrder(sequence(3, BROKEN), 5, work))).toEqual({ found: [0, 1, 2], failure: BROKEN });
  });

  test('leaves nothing under way when the results are no longer wanted', async () => {
    let underWay = 0;
    const work = async (item: number) => {
      underWay += 1;
      await pause(4);
      underWay -= 1;
      return item;
    };
    for await (const result of inOrder(sequence(9), 3, work)) if (result === 0) break;
    expect(underWay).toBe(0);
  });
});
