import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { money, type Price, price, priceOfMoney } from '../../src/kernel/money.ts';
import { linesReader, netOf, spreadOrderDiscount } from '../../src/sales/read-lines.ts';
import type { SaleLine } from '../../src/sales/sale.ts';
import type { TableRow } from '../../src/sales/table-row.ts';
import { type Cells, CONTEXT, continuation, reader, row, shopify } from './shopify-export.ts';

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
  test('are those of its rows, counted from one, with the category of their SKU', () => {
    expect(linesOf(row(), continuation({ 'Lineitem price': '12.3456', 'Lineitem sku': 'GRO-2' }))).toEqual([
      {
        id: '1',
        sku: 'APP-1',
        description: 'Field jacket',
        quantity: 2,
        unitPrice: 500_000,
        discount: 0,
        taxCode: '20010',
      },
      {
        id: '2',
        sku: 'GRO-2',
        description: 'Cap',
        quantity: 1,
        unitPrice: 123_456,
        discount: 0,
        taxCode: null,
      },
    ]);
  });

  test('leave out a row that has none', () => {
    const empty = continuation({ 'Lineitem name': '', 'Lineitem quantity': '', 'Lineitem price': '' });
    expect(linesOf(row(), empty)).toHaveLength(1);
  });

  test.for([
    [{ 'Lineitem discount': '5.00' }, 50_000, 'as it stands'],
    [{ 'Lineitem discount': '-5.00' }, 50_000, 'with a minus that it does not need'],
    [{ 'Lineitem discount': '' }, 0, 'none'],
  ] as const)('with %j have a discount of %i: %s', ([cells, discount]) => {
    expect(linesOf(row(cells))).toMatchObject([{ discount }]);
  });

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

  test('may be counted with a point and zeros', () => {
    expect(linesOf(row({ 'Lineitem quantity': '3.00' }))).toMatchObject([{ quantity: 3 }]);
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
    [[5000, 5000], 9000, [500, 500], 'in equal parts'],
    [[9000, 1000], 9000, [900, 100], 'in proportion'],
    [[1000, 1000, 1000], 2900, [34, 33, 33], 'to the cent'],
    [[5000, 0], 4000, [1000, 0], 'and nothing on what is free'],
    [[5000, 5000], 10_000, [0, 0], 'none when the lines come to the goods'],
    [[5000, 3000], 0, [5000, 3000], 'all of it when the goods were given away'],
    [[], 0, [], 'nothing on nothing'],
  ] as const)('of lines %j down to goods of %i is spread as %j: %s', ([nets, amount, discounts]) => {
    const spread = spreadOrderDiscount(cents(...nets), goods(amount));
    expect(spread?.map(({ discount }) => discount / 100)).toEqual(discounts);
  });

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
