import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Exact } from '../../src/kernel/decimal.ts';
import { formatRate, parseRate, RATE_ONE, rate } from '../../src/kernel/money.ts';
import { anyRate } from '../support/arbitraries.ts';

describe('a tax rate', () => {
  test.for([
    ['0.0625', 625_000, '0.0625', 'a state rate'],
    ['0.08875', 887_500, '0.08875', 'with five places'],
    ['0.0000001', 1, '0.0000001', 'the finest rate'],
    ['0', 0, '0', 'none'],
    ['0.00', 0, '0', 'none, at length'],
    ['1', RATE_ONE, '1', 'one hundred percent'],
    ['1.50', 15_000_000, '1.5', 'more than the price itself'],
  ] as const)('%s is %i ten-millionths and is written %s: %s', ([text, value, written]) => {
    expect(parseRate(text)).toBe(value);
    expect(formatRate(rate(value))).toBe(written);
  });

  test.for([
    ['0.00000001', 'finer than seven places'],
    ['6.25%', 'a percentage'],
    ['', 'blank'],
    ['1e-2', 'with an exponent'],
  ] as const)('"%s" is not read: %s', ([text]) => {
    expect(parseRate(text)).toBeUndefined();
  });

  test('is read back from its own text, which is the exact decimal', () => {
    fc.assert(
      fc.property(anyRate, (value) => {
        expect(parseRate(formatRate(value))).toBe(value);
        expect(new Exact(formatRate(value)).mul(RATE_ONE).eq(value)).toBe(true);
      }),
    );
  });
});
