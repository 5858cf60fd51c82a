import { describe, expect, test } from 'vitest';
import { refundedPartsOf } from '../../../src/close/sales/refunded-part.ts';
import type { Sale } from '../../../src/close/sales/sale.ts';
import { money } from '../../../src/kernel/money.ts';
import { price } from '../../../src/kernel/price.ts';
import { LINE, refundOf, saleOf } from './sale-of.ts';

const piece = { ...LINE, quantity: 1, unitPrice: price(300_000) };
/** Two lines of the same goods, 30.00 each, another of 40.00, and 10.00 of shipping. */
const order = saleOf({
  lines: [piece, { ...piece, id: '2' }, { ...piece, id: '3', sku: 'OTHER', unitPrice: price(400_000) }],
});
const refund = (changes: Partial<Sale>): Sale => ({ ...refundOf(order), shipping: money(0), ...changes });
const one = refund({ lines: [piece], amount: money(3000), salesTax: money(285) });
const other = refund({
  lines: [{ ...piece, sku: 'OTHER', unitPrice: price(100_000) }],
  amount: money(1500),
  shipping: money(500),
  salesTax: money(95),
});

const shown = (...refunds: readonly Sale[]) =>
  refundedPartsOf(refunds, order).map((part) => part && [part.positions, part.before ?? null]);

describe('a refund knows what earlier refunds of its order gave back', () => {
  test('line by line, with shipping and tax', () => {
    expect(shown(one, other, one)).toEqual([
      [[0], null],
      [[2], { shipping: 0, goods: [3000, 0, 0], salesTax: 285 }],
      [[1], { shipping: 500, goods: [3000, 0, 1000], salesTax: 380 }],
    ]);
  });

  test('and takes a line again where nothing else is left', () => {
    expect(shown(one, one, one).map((part) => part?.[0])).toEqual([[0], [1], [0]]);
  });

  test('of goods without lines', () => {
    const plain = { ...order, lines: [] };
    const part = { ...refundOf(plain), amount: money(2600), shipping: money(100), salesTax: money(200) };
    expect(refundedPartsOf([part, part, part], plain).map((each) => each?.before)).toEqual([
      undefined,
      { shipping: 100, goods: [2500], salesTax: 200 },
      { shipping: 200, goods: [5000], salesTax: 400 },
    ]);
  });

  test('of all goods at once', () => {
    const goods = refund({ lines: [], amount: money(10_000), salesTax: money(850) });
    expect(shown(goods, other)[1]).toEqual([[2], { shipping: 0, goods: [3000, 3000, 4000], salesTax: 850 }]);
  });

  test('and not what is not posted', () => {
    expect(shown({ ...one, outcome: 'review' }, other)).toEqual([
      [[0], null],
      [[2], null],
    ]);
  });

  test('and nothing of it where one of them does not say which goods it gave back', () => {
    expect(shown(one, refund({ lines: [], amount: money(1000) }), other)).toEqual([
      [[0], null],
      undefined,
      [[2], null],
    ]);
  });
});
