import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { money, type Price, price, priceOfMoney } from '../../src/kernel/money.ts';
import { linesReader, netOf, spreadOrderDiscount } from '../../src/sales/read-lines.ts';
import type { SaleLine } from '../../src/sales/sale.ts';
import type { TableRow } from '../../src/sales/table-row.ts';
import { type Cells, CONTEXT, reader, row, shopify } from './shopify-export.ts';

const { line: LINE_MAP } = shopify.map;
if (!LINE_MAP) throw new Error('orders of Shopify have lines');

const linesOf = (...rows: readonly (readonly string[])[]) => {
  const source = { readers: [reader], rowsOf: (all: readonly TableRow[]) => all };
  const read = linesReader(
    LINE_MAP,
    source,
    CONTEXT.categoryOf,
  )(
    rows.map((cells, index) => ({ line: index + 2, cells })),
    1,
  );
  return 'lines' in read ? read.lines : read;
};

describe('the line items of an order', () => {
  test.for([
    [{ 'Lineitem quantity': '' }, 'is not a whole number', 'Lineitem quantity', '', 'no quantity'],
    [{ 'Lineitem quantity': '1.5' }, 'is not a whole number', 'Lineitem quantity', '1.5', 'a part of one'],
    [{ 'Lineitem quantity': '-1' }, 'is not a whole number', 'Lineitem quantity', '-1', 'less than none'],
    [{ 'Lineitem price': '' }, 'is blank', 'Lineitem price', '', 'no price'],
    [{ 'Lineitem price': '$5' }, 'is not an amount', 'Lineitem price', '$5', 'a price with a symbol'],
    [{ 'Lineitem discount': 'half' }, 'is not an amount', 'Lineitem discount', 'half', 'a discount in words'],
    [
      { 'Lineitem quantity': '999999999', 'Lineitem price': '99999999.00' },
      'makes the line too large to be exact',
      'Lineitem quantity',
      '999999999',
      'more than can be counted exactly',
    ],
  ] as const)('with %j cannot be read, because it %s (%s "%s": %s)', ([cells, problem, column, value]) => {
    expect(linesOf(row(cells as Cells))).toEqual({ problem, column, value });
  });
});

const line = (net: Price, quantity = 1, discount: Price = price(0)): SaleLine => ({
  id: '1',
  sku: '',
  description: '',
  quantity,
  unitPrice: price((net + discount) / quantity),
  discount,
  taxCode: null,
});
const cents = (...nets: readonly number[]) => nets.map((net) => line(priceOfMoney(money(net))));
const goods = (amount: number) => priceOfMoney(money(amount));

describe('a discount on the whole order', () => {
  test.for([
    [cents(5000), goods(5001), 'the lines come to less than the goods'],
    [cents(5000), goods(-1), 'the goods come to less than nothing'],
    [cents(), goods(100), 'there are no lines'],
    [
      [line(price(50)), line(price(50)), line(price(50))],
      price(50),
      'half cents cannot be taken off by the cent',
    ],
    [[line(price(150))], price(100), 'the gap is finer than a cent'],
    [cents(-100, 600), goods(400), 'a line comes to less than nothing'],
  ] as const)('%# cannot be spread: $2', ([lines, amount]) => {
    expect(spreadOrderDiscount(lines, amount)).toBeUndefined();
  });

  const anyLine = fc
    .tuple(fc.nat({ max: 100_000 }), fc.integer({ min: 1, max: 20 }), fc.nat({ max: 1000 }))
    .map(([unit, quantity, percent]) => {
      const gross = unit * quantity;
      return {
        ...line(goods(gross), quantity),
        discount: goods(Math.floor((gross * Math.min(percent, 100)) / 100)),
      };
    });

  test('makes lines add up to the goods exactly, and takes from no line more than it comes to', () => {
    fc.assert(
      fc.property(
        fc.array(anyLine, { minLength: 1, maxLength: 12 }),
        fc.nat({ max: 1000 }),
        (lines, permille) => {
          const total = lines.reduce((running, one) => running + netOf(one), 0) / 100;
          const amount = goods(Math.floor((total * permille) / 1000));
          const spread = spreadOrderDiscount(lines, amount);
          expect(spread?.reduce((running, one) => running + netOf(one), 0)).toBe(amount);
          spread?.forEach((one, index) => {
            expect(one.discount).toBeGreaterThanOrEqual(lines[index]?.discount ?? Number.NaN);
            expect(netOf(one)).toBeGreaterThanOrEqual(0);
          });
        },
      ),
    );
  });
});
