import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Exact, roundBigQuotient, roundQuotient } from '../../src/kernel/decimal.ts';
import { anySafeInteger } from '../support/arbitraries.ts';

const anyDivisor = fc.oneof(
  fc.constantFrom(2, 100, 10_000, 10_000_000),
  fc.integer({ min: 1, max: 1000 }),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
);

describe('the one rounding rule', () => {
  test.for([
    [5, 10, 1, 'a half goes up'],
    [-5, 10, -1, 'and down below zero: a refund mirrors its order'],
    [4, 10, 0, 'less than a half goes to zero'],
    [-4, 10, 0, 'from either side, and zero has no sign'],
    [25, 10, 3, 'a half does not look for the even neighbour'],
    [1, 3, 0, 'a third is less than a half'],
    [Number.MAX_SAFE_INTEGER, 2, 2 ** 52, 'half of the largest odd integer'],
    [Number.MIN_SAFE_INTEGER, 2, -(2 ** 52), 'and of its mirror image'],
  ] as const)('%i / %i is %i: %s', ([numerator, divisor, quotient]) => {
    expect(roundQuotient(numerator, divisor)).toBe(quotient);
    expect(roundBigQuotient(BigInt(numerator), BigInt(divisor))).toBe(BigInt(quotient));
  });

  test('is the same for numbers, big integers and exact decimals, up to the last exact integer', () => {
    fc.assert(
      fc.property(anySafeInteger, anyDivisor, (numerator, divisor) => {
        const quotient = roundQuotient(numerator, divisor);
        const exact = new Exact(numerator).div(divisor).toDecimalPlaces(0);
        expect(exact.eq(quotient)).toBe(true);
        expect(roundBigQuotient(BigInt(numerator), BigInt(divisor))).toBe(BigInt(quotient));
      }),
      { numRuns: 5000 },
    );
  });
});
