import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Exact } from '../../src/kernel/decimal.ts';
import { DefectError } from '../../src/kernel/errors.ts';
import {
  absolute,
  add,
  formatMoney,
  money,
  negate,
  parseMoney,
  subtract,
  sum,
  ZERO,
} from '../../src/kernel/money.ts';
import { anyMoney } from '../support/arbitraries.ts';

describe('an amount of money', () => {
  test.for([
    ['12.5', 1250, 'the second place may be left out'],
    ['-0.05', -5, 'minus stands in front'],
    ['.5', 50, 'dollars may be left out'],
    ['59.0000', 5900, 'further places may be zeros'],
    ['-0.00', 0, 'there is no negative nothing'],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER, 'the largest amount'],
  ] as const)('%s is read as %i cents: %s', ([text, cents]) => {
    expect(parseMoney(text)).toBe(cents);
  });

  test.for([
    ['', 'blank'],
    ['.', 'a point alone'],
    ['1.005', 'finer than a cent'],
    ['1,234.50', 'grouped'],
    ['(12.00)', 'in accountants’ brackets'],
    ['1e3', 'with an exponent'],
    ['١٢', 'in digits of another script'],
    ['90071992547409.92', 'one cent more than is exact'],
    [`0.${'0'.repeat(60)}`, 'of unreasonable length'],
  ] as const)('"%s" is not read: %s', ([text]) => {
    expect(parseMoney(text)).toBeUndefined();
  });

  test.for([
    [0, '0.00', 'nothing'],
    [5, '0.05', 'less than a dime'],
    [123450, '1234.50', 'never grouped'],
  ] as const)('%i cents are written %s: %s', ([cents, text]) => {
    expect(formatMoney(money(cents))).toBe(text);
  });

  test('is written as the exact decimal is', () => {
    fc.assert(
      fc.property(anyMoney, (amount) => {
        expect(formatMoney(amount)).toBe(new Exact(amount).div(100).toFixed(2));
      }),
    );
  });
});

describe('arithmetic of money', () => {
  const largest = money(Number.MAX_SAFE_INTEGER);

  test('has one zero, without a sign', () => {
    expect(Object.is(negate(ZERO), 0)).toBe(true);
    expect(Object.is(money(-0), 0)).toBe(true);
    expect(Object.is(absolute(money(-0)), 0)).toBe(true);
  });

  test('refuses a sum that would not be exact, even one that comes back', () => {
    expect(() => add(largest, money(1))).toThrow('not a whole, exact number of cents');
    expect(() => subtract(negate(largest), money(1))).toThrow(DefectError);
    expect(() => sum([largest, money(1), money(-1)])).toThrow(DefectError);
  });

  test('adds and takes away exactly, or says that it cannot', () => {
    fc.assert(
      fc.property(anyMoney, anyMoney, (left, right) => {
        const exact = new Exact(left).add(right);
        if (exact.abs().gt(Number.MAX_SAFE_INTEGER)) expect(() => add(left, right)).toThrow(DefectError);
        else expect(exact.eq(add(left, right))).toBe(true);
        expect(subtract(left, left)).toBe(ZERO);
      }),
    );
  });
});
