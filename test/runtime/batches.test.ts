import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { batches } from '../../src/runtime/batches.ts';

async function* sequence(length: number): AsyncGenerator<number> {
  for (let item = 0; item < length; item += 1) yield item;
}

const listed = async (found: AsyncIterable<readonly number[]>): Promise<(readonly number[])[]> => {
  const all: (readonly number[])[] = [];
  for await (const batch of found) all.push(batch);
  return all;
};

test.for([
  [0, 3, [], 'of nothing there is no batch'],
  [2, 3, [[0, 1]], 'the only one may be smaller'],
  [
    6,
    3,
    [
      [0, 1, 2],
      [3, 4, 5],
    ],
    'there is no empty one behind the last',
  ],
  [7, 3, [[0, 1, 2], [3, 4, 5], [6]], 'what is left over is the last'],
] as const)('%i items in batches of %i are %j: %s', async ([length, size, expected]) => {
  expect(await listed(batches(sequence(length), size))).toEqual(expected);
});

test('batches hold every item once, in order, and never more than their size', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 200 }), fc.integer({ min: 1, max: 20 }), async (length, size) => {
      const found = await listed(batches(sequence(length), size));
      expect(found.flat()).toEqual(Array.from({ length }, (_, index) => index));
      expect(found.every((batch) => batch.length > 0 && batch.length <= size)).toBe(true);
    }),
  );
});
