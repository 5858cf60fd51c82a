import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { netOf, spreadOrderDiscount } from '../../../src/close/sales/read-lines.ts';
import type { Place, Sale, SaleLine } from '../../../src/close/sales/sale.ts';
import { type Money, money } from '../../../src/kernel/money.ts';
import { moneyOfPrice, price } from '../../../src/kernel/price.ts';
import { LINE, saleOf } from '../sales/sale-of.ts';
import { answerTo, reasonsOf } from './repaid-orders.ts';

const HARRISBURG: Place = { country: 'US', state: 'PA', zip: '17101', city: 'Harrisburg', street: '' };
const AUSTIN: Place = { country: 'US', state: 'TX', zip: '78701', city: 'Austin', street: '' };

/** An order of general goods, each line with a quantity and a unit price in cents. */
const orderOf = (shipTo: Place, goods: readonly (readonly [number, number])[], shipping = 0): Sale => {
  const lines = goods.map(
    ([quantity, cents], index): SaleLine => ({
      ...LINE,
      ...{ id: String(index + 1), quantity, unitPrice: price(cents * 100), taxCode: null },
    }),
  );
  const amount = money(goods.reduce((total, [quantity, cents]) => total + quantity * cents, shipping));
  return saleOf({ shipTo, lines, amount, shipping: money(shipping), taxLines: [] });
};

const charged = (sale: Sale, cents: number): readonly string[] =>
  reasonsOf({ ...sale, salesTax: money(cents) });

test('goods and shipping that are each rounded by themselves are rounding', () => {
  const sale = orderOf(
    HARRISBURG,
    [
      [1, 4167],
      [1, 5269],
      [1, 1990],
    ],
    1095,
  );
  expect(answerTo(sale).amount_to_collect).toBe(751);
  expect(charged(sale, 752)).toEqual([
    'R01 1: recomputed with goods and shipping each rounded by themselves: 7.52',
  ]);
});

test('the tax of a piece, rounded and multiplied, is rounding', () => {
  const sale = orderOf(AUSTIN, [[7, 99]]);
  expect(answerTo(sale).amount_to_collect).toBe(57);
  expect(charged(sale, 56)).toEqual(['R01 -1: recomputed rounded per piece of each line: 0.56']);
});

test('pieces without any tax were not charged any', () => {
  const sale = orderOf(AUSTIN, [[1_000, 5]]);
  expect(answerTo(sale).amount_to_collect).toBe(413);
  expect(charged(sale, 0)).toEqual(['R11 -413: nexus in the destination; 4.13 was due']);
});

/** Lines with a discount of the whole order, divided as the shop divides it: the first or the last takes what is left. */
const anyDiscounted = fc
  .record({
    cents: fc.array(fc.integer({ min: 300, max: 20_000 }), { minLength: 2, maxLength: 6 }),
    percent: fc.integer({ min: 5, max: 30 }),
    isLast: fc.boolean(),
  })
  .map(({ cents, percent, isLast }) => {
    const whole = orderOf(
      HARRISBURG,
      cents.map((each) => [1, each] as const),
    );
    const goods = Math.round((whole.amount * (100 - percent)) / 100);
    const shares = cents.map((each) => Math.round((each * (whole.amount - goods)) / whole.amount));
    const left = whole.amount - goods - shares.reduce((total, share) => total + share, 0);
    const taker = isLast ? shares.length - 1 : 0;
    shares[taker] = (shares[taker] ?? 0) + left;
    const lines = spreadOrderDiscount(whole.lines, price(goods * 100)) ?? [];
    const sale: Sale = { ...whole, lines, amount: money(goods) };
    const taxOf = (line: SaleLine, share: number): Money =>
      money(Math.round(((moneyOfPrice(line.unitPrice) - share) * 6) / 100));
    return { sale, tax: lines.reduce((total, line, index) => total + taxOf(line, shares[index] ?? 0), 0) };
  });

test('a discount of the order that the shop divides in other cents, line by line, is rounding', () => {
  let divided = 0;
  fc.assert(
    fc.property(anyDiscounted, ({ sale, tax }) => {
      const reasons = charged(sale, tax);
      for (const reason of reasons) expect(reason).toMatch(/^R01 /);
      if (reasons.some((reason) => reason.includes('in other cents'))) divided += 1;
    }),
    { numRuns: 2000, seed: 3 },
  );
  expect(divided).toBeGreaterThan(3);
});

test('other cents of a discount explain no more than the lines that are that near to half a cent', () => {
  const whole = orderOf(HARRISBURG, [
    [1, 10_000],
    [1, 20_000],
  ]);
  const lines = spreadOrderDiscount(whole.lines, price(2_700_000)) ?? [];
  expect(lines.map(netOf)).toEqual([900_000, 1_800_000]);
  const sale: Sale = { ...whole, lines, amount: money(27_000) };
  expect(answerTo(sale).amount_to_collect).toBe(1_620);
  for (const cents of [1_619, 1_621, 1_622]) expect(charged(sale, cents).join()).toContain('R99');
});
