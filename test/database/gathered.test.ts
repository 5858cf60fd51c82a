import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { gathered } from '../../src/database/gathered.ts';
import { TieoutError } from '../../src/kernel/errors.ts';

const outage = new TieoutError({
  code: 'E_DATABASE_UNREACHABLE',
  message: 'gone',
  nextStep: 'Wait.',
});

/** Doubles numbers, refuses odd groups as a whole, and writes down the groups it was given. */
const doubling = (
  groupMax: number,
  refused: (numbers: readonly number[]) => Error | undefined = () => undefined,
) => {
  const groups: (readonly number[])[] = [];
  const double = gathered<number, number>({ groupMax, inFlightMax: 1 }, async (numbers) => {
    groups.push(numbers);
    await pause(1);
    const error = refused(numbers);
    if (error) throw error;
    return numbers.map((number) => 2 * number);
  });
  return { groups, double };
};

describe('gathered calls', () => {
  it('of one turn are one, and everybody gets the own answer', async () => {
    const { groups, double } = doubling(10);
    expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
    expect(groups).toEqual([[1, 2, 3]]);
  });

  it('that come while others are under way wait for them and travel together', async () => {
    const { groups, double } = doubling(10);
    const first = double(1);
    await pause(0);
    const rest = Promise.all([2, 3].map(double));
    expect([await first, await rest]).toEqual([2, [4, 6]]);
    expect(groups.flat()).toEqual([1, 2, 3]);
    expect(await double(4)).toBe(8);
  });

  it('are never more than allowed', async () => {
    const { groups, double } = doubling(2);
    expect(await Promise.all([1, 2, 3, 4, 5].map(double))).toEqual([2, 4, 6, 8, 10]);
    expect(groups).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('are not refused for the sake of another one', async () => {
    const { double } = doubling(10, (numbers) => (numbers.includes(2) ? new Error('two') : undefined));
    expect(await Promise.allSettled([1, 2, 3].map(double))).toMatchObject([
      { value: 2 },
      { reason: { message: 'two' } },
      { value: 6 },
    ]);
  });

  it('all hear of an outage, at once', async () => {
    const { groups, double } = doubling(10, () => outage);
    const answers = await Promise.allSettled([1, 2, 3].map(double));
    expect(answers.map((answer) => answer.status === 'rejected' && answer.reason)).toEqual([
      outage,
      outage,
      outage,
    ]);
    expect(groups).toHaveLength(1);
  });
});
