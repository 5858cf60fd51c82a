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
