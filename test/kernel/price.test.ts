import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Exact, scaled } from '../../src/kernel/decimal.ts';
import {
  formatPrice,
  isWholeCents,
  moneyOfPrice,
  parseExactPrice,
  parseFinePrice,
  parsePrice,
  price,
} from '../../src/kernel/money.ts';
import { anyPrice } from '../support/arbitraries.ts';
import { rowsOf } from '../support/rows.ts';

const anyDecimalText = fc
  .tuple(fc.boolean(), fc.nat({ max: 99_999_999 }), fc.stringMatching(/^\d{0,12}$/))
  .map(([negative, whole, fraction]) => `${negative ? '-' : ''}${whole}.${fraction}`);

describe('a unit price', () => {
  test.for(
    rowsOf(`
    19.99 | 199900 | 19.99 | two places are always written
    0.1234 | 1234 | 0.1234 | and up to four where they are needed
    0.1230 | 1230 | 0.123 | but no more than needed
    0.00005 | 1 | 0.0001 | the fifth place is rounded away from zero
    -0.00005 | -1 | -0.0001 | below zero as well
    0.00004999 | 0 | 0.00 | and down below the half
    29.989999999999998 | 299900 | 29.99 | the noise of binary arithmetic goes away
  `).map(([cell0, cell1, cell2, cell3]) => [cell0, Number(cell1), cell2, cell3] as const),
  )('%s is held as %i and written %s: %s', ([text, tenThousandths, written]) => {
    const value = parsePrice(text);
    expect(value).toBe(tenThousandths);
    expect(formatPrice(price(tenThousandths))).toBe(written);
  });

  test('is rounded as the exact decimal is, whatever was written', () => {
    fc.assert(
      fc.property(anyDecimalText, (text) => {
        expect(parsePrice(text)).toBe(new Exact(text).toDecimalPlaces(4).mul(10_000).add(0).toNumber() + 0);
      }),
    );
  });

  test('is read back from its text', () => {
    fc.assert(
      fc.property(anyPrice, (value) => {
        expect(parsePrice(formatPrice(value))).toBe(value);
      }),
    );
  });

  test.for([
    ['0.12345', 'a fifth place'],
    ['900719925474.0992', 'more than is exact'],
  ] as const)('"%s" is not an exact price: %s', ([text]) => {
    expect(parseExactPrice(text)).toBeUndefined();
  });
});

describe('prices and cents', () => {
  test.for([
    [199900, 1999, true, 'whole cents stay'],
    [50, 1, false, 'half a cent is rounded up'],
    [-50, -1, false, 'and down below zero'],
    [49, 0, false, 'less than half a cent is nothing'],
  ] as const)('%i ten-thousandths are %i cents: %s', ([tenThousandths, cents, whole]) => {
    expect(moneyOfPrice(price(tenThousandths))).toBe(cents);
    expect(isWholeCents(price(tenThousandths))).toBe(whole);
  });

  test('a decimal of any fineness has the cent of the decimal itself, and is less than a ten-thousandth away', () => {
    fc.assert(
      fc.property(anyDecimalText, (text) => {
        const exact = scaled(text, 2);
        const fine = parseFinePrice(text) as number;
        expect(moneyOfPrice(price(fine))).toBe(exact);
        expect(Math.abs(fine - (parsePrice(text) as number))).toBeLessThanOrEqual(1);
      }),
    );
    expect(parseFinePrice('1.00496')).toBe(10049);
    expect(parseFinePrice('-1.00495')).toBe(-10049);
    expect(parseFinePrice('1.005000001')).toBe(10050);
    expect(parseFinePrice('93.457944')).toBe(934579);
    expect(parseFinePrice('1e3')).toBeUndefined();
  });
});
