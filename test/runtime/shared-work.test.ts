import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Json } from '../../src/kernel/digest.ts';
import { firstFree, type Worker, workerPool } from '../../src/runtime/worker-pool.ts';

async function* numbers(count: number): AsyncGenerator<Json> {
  for (let number = 0; number < count; number += 1) yield number;
}
const quiet = (): void => {};

it('every piece is done once, by anyone who is free', async () => {
  const by = { quick: 0, slow: 0 };
  const hand =
    (name: keyof typeof by, ms: number): Worker =>
    async (piece) => {
      by[name] += 1;
      await pause(ms);
      return piece;
    };
  const done: Json[] = [];
  await workerPool(1, [hand('quick', 1), hand('slow', 60)]).doAll(
    numbers(40),
    (result) => done.push(result),
    quiet,
  );
  expect(done.sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 40 }, (_, index) => index));
  expect(by.slow).toBeLessThan(by.quick);
});

it('when one fails the others leave off, are waited for, and nothing more is begun', async () => {
  let begun = 0;
  let isSettled = false;
  const failing: Worker = async () => {
    begun += 1;
    await pause(5);
    throw new RangeError('a piece that cannot be done');
  };
  const long: Worker = async (piece, _, signal) => {
    begun += 1;
    while (!signal.aborted) await pause(1);
    await pause(20);
    isSettled = true;
    return piece;
  };
  await expect(workerPool(1, [failing, long]).doAll(numbers(40), quiet, quiet)).rejects.toThrow(
    'cannot be done',
  );
  expect(isSettled).toBe(true);
  expect(begun).toBe(2);
});

it('waiting may end the work between two pieces', async () => {
  const done: Json[] = [];
  const work = workerPool(1, [async (piece) => piece]).doAll(
    numbers(40),
    (result) => done.push(result),
    () => {
      if (done.length === 3) throw new RangeError('enough');
    },
  );
  await expect(work).rejects.toThrow('enough');
  expect(done).toEqual([0, 1, 2]);
});

it('the first free hand does the next piece, and a failure ends that piece only', async () => {
  const does =
    (name: string): Worker =>
    async (piece) => {
      await pause(5);
      if (piece === 2) throw new RangeError('a piece that cannot be done');
      return `${name} ${piece}`;
    };
  const ask = firstFree([does('one'), does('other')]);
  const pieces = [0, 1, 2, 3, 4].map((piece) => ask(piece, quiet));
  const [first, second, third, ...others] = await Promise.allSettled(pieces);
  expect([first, second]).toEqual([
    { status: 'fulfilled', value: 'one 0' },
    { status: 'fulfilled', value: 'other 1' },
  ]);
  expect(third).toMatchObject({ status: 'rejected', reason: expect.any(RangeError) });
  expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
});
