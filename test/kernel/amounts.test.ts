import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fixedText,
  isFinerThan,
  roundBigQuotient,
  roundQuotient,
  scaled,
  scaledNumber,
} from '../../src/kernel/decimal.ts';
import { DefectError } from '../../src/kernel/errors.ts';
import {
  absolute,
  add,
  allocate,
  formatMoney,
  formatPrice,
  formatRate,
  money,
  moneyOfPrice,
  negate,
  parseExactPrice,
  parseFinePrice,
  parseMoney,
  parsePrice,
  parseRate,
  price,
  RATE_ONE,
  subtract,
  sum,
  ZERO,
} from '../../src/kernel/money.ts';
import { anyMoney, anyPrice, anyRate, anySafeInteger, anyWeights } from '../support/arbitraries.ts';
import { Exact } from '../support/exact.ts';
import { rowsOf } from '../support/rows.ts';

const anyDecimalText = fc
  .tuple(fc.boolean(), fc.nat({ max: 99_999_999 }), fc.stringMatching(/^\d{0,12}$/))
  .map(([negative, whole, fraction]) => `${negative ? '-' : ''}${whole}.${fraction}`);
const anyDivisor = fc.oneof(
  fc.constantFrom(2, 100, 10_000, 10_000_000),
  fc.integer({ min: 1, max: 1000 }),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
);

const READERS = { money: parseMoney, price: parsePrice, 'exact price': parseExactPrice, rate: parseRate };

describe('a text', () => {
  test.for(
    rowsOf(`
    money | 12.5 | 1250 | the second place may be left out
    money | .5 | 50 | dollars may be left out
    money | 59.0000 | 5900 | further places may be zeros
    money | -0.00 | 0 | there is no negative nothing
    money | 90071992547409.91 | 9007199254740991 | the largest amount
    price | 0.00005 | 1 | the fifth place is rounded away from zero
    price | -0.00005 | -1 | below zero as well
    price | 29.989999999999998 | 299900 | the noise of binary arithmetic goes away
    rate | 0.0000001 | 1 | the finest rate
    rate | 1.50 | 15000000 | more than the price itself
    money | | | blank
    money | . | | a point alone
    money | 1.005 | | finer than a cent
    money | 1,234.50 | | grouped
    money | (12.00) | | in accountants’ brackets
    money | 1e3 | | with an exponent
    money | ١٢ | | in digits of another script
    money | 90071992547409.92 | | one cent more than is exact
    money | 0.${'0'.repeat(60)} | | of unreasonable length
    exact price | 0.12345 | | finer than a ten-thousandth
    rate | 0.00000001 | | finer than seven places
    rate | 6.25% | | a percentage
  `),
  )('is read as %s: "%s" is "%s" parts, %s', ([what, text, parts]) => {
    const read = READERS[what as keyof typeof READERS](text);
    expect(read).toBe(parts === '' ? undefined : Number(parts));
    expect(Object.is(read, -0)).toBe(false);
  });

  test('of money, a price or a rate says the exact decimal, and is read back', () => {
    fc.assert(
      fc.property(anyMoney, anyPrice, anyRate, (amount, unit, rate) => {
        expect(formatMoney(amount)).toBe(new Exact(amount).div(100).toFixed(2));
        expect(parseMoney(formatMoney(amount))).toBe(amount);
        expect(parsePrice(formatPrice(unit))).toBe(unit);
        expect(parseRate(formatRate(rate))).toBe(rate);
        expect(new Exact(formatRate(rate)).mul(RATE_ONE).eq(rate)).toBe(true);
      }),
    );
  });

  test('of a price is rounded as the exact decimal is, and to cents from all that was written', () => {
    fc.assert(
      fc.property(anyDecimalText, (text) => {
        expect(parsePrice(text)).toBe(new Exact(text).toDecimalPlaces(4).mul(10_000).add(0).toNumber() + 0);
        const fine = parseFinePrice(text) as number;
        expect(moneyOfPrice(price(fine))).toBe(scaled(text, 2));
        expect(Math.abs(fine - (parsePrice(text) as number))).toBeLessThanOrEqual(1);
      }),
    );
    expect(['1.00496', '-1.00495', '1.005000001', '1e3'].map(parseFinePrice)).toEqual([
      ...[10_049, -10_049, 10_050],
      undefined,
    ]);
  });

  test('is the number of parts of a unit that its number says, and the other way round', () => {
    const units = fc.constantFrom([100, 2] as const, [10_000, 4] as const, [10_000_000, 7] as const);
    const anyNumber = fc.oneof(
      fc.integer().map((count) => count / 100),
      fc.tuple(fc.integer({ max: 99_999 }), fc.integer({ max: 99_999 })).map(([a, b]) => a / 100 + b / 1000),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(anyNumber, fc.maxSafeInteger(), units, (value, parts, [unit, places]) => {
        expect(parts / unit).toBe(Number(fixedText(parts, places)));
        const count = scaledNumber(value, unit);
        const text = String(value);
        if (count === undefined || text.includes('e')) return;
        expect([isFinerThan(text, places), count]).toEqual([false, scaled(text, places)]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('arithmetic', () => {
  test('has one zero, without a sign, and adds exactly or says that it cannot', () => {
    for (const zero of [negate(ZERO), money(-0), absolute(money(-0))]) expect(Object.is(zero, 0)).toBe(true);
    const largest = money(Number.MAX_SAFE_INTEGER);
    expect(() => sum([largest, money(1), money(-1)])).toThrow(DefectError);
    fc.assert(
      fc.property(anyMoney, anyMoney, (left, right) => {
        const exact = new Exact(left).add(right);
        if (exact.abs().gt(Number.MAX_SAFE_INTEGER)) expect(() => add(left, right)).toThrow(DefectError);
        else expect(exact.eq(add(left, right))).toBe(true);
        expect(subtract(left, left)).toBe(ZERO);
      }),
    );
  });

  test('rounds numbers, big integers and exact decimals alike, up to the last exact integer', () => {
    fc.assert(
      fc.property(anySafeInteger, anyDivisor, (numerator, divisor) => {
        const quotient = roundQuotient(numerator, divisor);
        expect(new Exact(numerator).div(divisor).toDecimalPlaces(0).eq(quotient)).toBe(true);
        expect(roundBigQuotient(BigInt(numerator), BigInt(divisor))).toBe(BigInt(quotient));
      }),
      { numRuns: 5000 },
    );
  });
});

describe('an amount that is split', () => {
  test.for([
    [100, [1, 1, 1], [34, 33, 33], 'of equal remainders the earliest gets the cent'],
    [2, [1, 5, 4], [0, 1, 1], 'the largest remainder goes first, not the largest weight'],
    [-100, [1, 1, 1], [-34, -33, -33], 'a refund is the mirror image'],
    [99, [0, 0, 0], [99, 0, 0], 'when every weight is zero the first part takes it all'],
  ] as const)('%i over %j gives %j: %s', ([amount, weights, parts]) => {
    expect(allocate(money(amount), weights)).toEqual(parts);
  });

  test('adds up to the whole, and has no part a whole cent away from its exact share', () => {
    fc.assert(
      fc.property(anyMoney, anyWeights, (amount, weights) => {
        const parts = allocate(amount, weights);
        expect(sum(parts)).toBe(amount);
        const total = Exact.sum(...weights);
        if (total.isZero()) return;
        parts.forEach((part, index) => {
          const share = new Exact(amount).mul(weights[index] ?? 0).div(total);
          expect(share.sub(part).abs().lt(1)).toBe(true);
        });
      }),
    );
  });

  test.for([[[]], [[1, -1]], [[0.5]], [[2 ** 53]]])('cannot be split over %j', ([weights = []]) => {
    expect(() => allocate(ZERO, weights)).toThrow(DefectError);
  });
});
