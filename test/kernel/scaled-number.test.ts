import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixedText, isFinerThan, numberOfScaled, scaled, scaledNumber } from '../../src/kernel/decimal.ts';

const UNITS = [
  [100, 2],
  [10_000, 4],
  [10_000_000, 7],
] as const;

/** Cents and their neighbours, sums that binary fractions miss, and whatever a double can be. */
const anyNumber = fc.oneof(
  fc.integer().map((count) => count / 100),
  fc.tuple(fc.integer({ max: 99_999 }), fc.integer({ max: 99_999 })).map(([a, b]) => a / 100 + b / 1000),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

describe('a number as so many parts of a unit', () => {
  test.for([
    [12.5, 100, 1250, 'fewer places than the unit has'],
    [-0.05, 100, -5, 'negative'],
    [-0, 100, 0, 'there is no negative nothing'],
    [1e-7, 10_000_000, 1, 'a number that is written with an exponent'],
    [0.1 + 0.2, 100, undefined, 'noise behind the last place is for the text to judge'],
    [1.005, 100, undefined, 'finer than the unit'],
    [90_071_992_547_409.91, 100, undefined, 'more digits than a double keeps apart'],
    [Number.POSITIVE_INFINITY, 100, undefined, 'without end'],
  ] as const)('%d in %i is %s: %s', ([value, unit, count]) => {
    expect(scaledNumber(value, unit)).toBe(count);
  });

  test('is what its text says, wherever it is told without the text', () => {
    fc.assert(
      fc.property(anyNumber, fc.constantFrom(...UNITS), (value, [unit, places]) => {
        const count = scaledNumber(value, unit);
        const text = String(value);
        if (count === undefined || text.includes('e')) return;
        expect([isFinerThan(text, places), count]).toEqual([false, scaled(text, places)]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('goes back to the number that its text stands for', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom(...UNITS), (count, [unit, places]) => {
        expect(numberOfScaled(count, unit)).toBe(Number(fixedText(count, places)));
      }),
    );
  });
});
