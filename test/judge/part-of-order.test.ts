import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerAbout } from '../../src/judge/part-of-order.ts';
import { LEVELS, leviedBy } from '../../src/judge/tax-model.ts';
import { type Money, money, moneyOfPrice, price, sum } from '../../src/kernel/money.ts';
import { netOf } from '../../src/sales/read-lines.ts';
import { refundedPartOf } from '../../src/sales/refunded-part.ts';
import type { Sale, SaleLine } from '../../src/sales/sale.ts';
import { LINE, refundOf, saleOf } from '../sales/sale-of.ts';
import { answerTo, anyOrder, CUTS, partsOf } from './repaid-orders.ts';

const answerOf = (sale: Sale) => answerAbout(sale, answerTo(sale));

/** Tax, taxable amount, and the tax of each level as the returns have it. */
const figuresOf = (sale: Sale): readonly Money[] => {
  const answer = answerOf(sale);
  const levied = new Map(leviedBy(answer).map(({ level, tax }) => [level, tax]));
  return [
    answer.amount_to_collect,
    answer.taxable_amount,
    ...LEVELS.map((level) => levied.get(level) ?? money(0)),
  ];
};

test('refunds of parts of an order that come to the whole order give back its tax, its taxable amount and each level of it', () => {
  fc.assert(
    fc.property(anyOrder, CUTS, (order, cuts) => {
      const parts = partsOf(order, cuts).map(figuresOf);
      expect(figuresOf(order).map((_, index) => sum(parts.map((one) => one[index] as Money)))).toEqual(
        figuresOf(order),
      );
      for (const [tax = 0, taxable = 0, ...levels] of parts) {
        expect(Math.min(tax, taxable)).toBeGreaterThanOrEqual(0);
        // A level that had a cent too much before gives it back with the next refund.
        expect(Math.min(...levels)).toBeGreaterThanOrEqual(-1);
        expect(sum(levels)).toBe(tax);
      }
    }),
    { numRuns: 300 },
  );
});

describe('a refund with rows of its own', () => {
  const order = saleOf({
    lines: [LINE, { ...LINE, id: '2', sku: 'MUG', taxCode: null, quantity: 1, unitPrice: price(1_000) }],
    amount: money(11_010),
  });
  const refund = (changes: Partial<Sale>): Sale => ({ ...refundOf(order), ...changes });
  const half = { ...LINE, quantity: 1 };

  test.for([
    ['all of it', {}, undefined],
    ['one of two', { lines: [half], amount: money(5000), shipping: money(0) }, [0]],
    [
      'one of two, and again',
      { lines: [half, { ...half, id: '2' }], amount: money(10_000), shipping: money(0) },
      [0, 0],
    ],
    ['shipping alone', { lines: [], amount: money(1000) }, []],
    [
      'goods without lines, of an order with two',
      { lines: [], amount: money(500), shipping: money(0) },
      undefined,
    ],
    ['all goods without lines', { lines: [], amount: money(10_010), shipping: money(0) }, []],
    ['goods that are not in the order', { lines: [{ ...half, sku: 'CUP' }], amount: money(5000) }, undefined],
    ['more than the order has', { lines: [{ ...LINE, quantity: 3 }], amount: money(15_000) }, undefined],
    ['of a marketplace', { lines: [half], amount: money(5000), exemptionType: 'marketplace' }, undefined],
  ] as const)('%s', ([, changes, positions]) => {
    expect(refundedPartOf(refund(changes as Partial<Sale>), order)?.positions).toEqual(positions);
  });

  const coat = (id: string, unitPrice: number, discount = 0): SaleLine => ({
    ...LINE,
    id,
    quantity: 1,
    unitPrice: price(unitPrice),
    discount: price(discount),
  });

  test.for([
    ['of the second price', [coat('1', 750_000)], [1]],
    ['of the price after the discount', [coat('1', 1_000_000)], [2]],
    ['of the price before the discount', [coat('1', 1_500_000, 400_000)], [0]],
    ['of both prices in the other order', [coat('1', 750_000), coat('2', 1_500_000)], [1, 0]],
    ['of a part and of a whole price', [coat('1', 200_000), coat('2', 1_500_000)], [1, 0]],
    ['of the same price twice', [coat('1', 750_000), coat('2', 750_000)], [1, 0]],
  ] as const)('of goods that its order has at several prices: %s', ([, lines, positions]) => {
    const coats = [coat('1', 1_500_000), coat('2', 750_000), coat('3', 1_500_000, 500_000)];
    const ordered = saleOf({ lines: coats, amount: money(32_500), shipping: money(0) });
    const amount = sum(lines.map((line) => moneyOfPrice(netOf(line))));
    const given = { ...refundOf(ordered), amount, shipping: money(0), lines };
    expect(refundedPartOf(given, ordered)?.positions).toEqual(positions);
  });
});
