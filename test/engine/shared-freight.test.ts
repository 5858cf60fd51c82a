import { describe, expect, test } from 'vitest';
import { orderTo, taxOf } from './tax-of.ts';

type Item = readonly [quantity: number, price: number, code?: string];

const taxed = (
  [state, zip, city]: readonly [string, string, string],
  shipping: number,
  items: readonly Item[],
) =>
  taxOf(
    orderTo(state, zip, city, {
      shipping,
      line_items: items.map(([quantity, unit_price, product_tax_code]) => ({
        quantity,
        unit_price,
        product_tax_code,
      })),
    }),
  );

const MADISON = ['WI', '53703', 'Madison'] as const;
const ROUND_ROCK = ['TX', '78664', ''] as const;
const ALBANY = ['NY', '12207', 'Albany'] as const;
const PHILADELPHIA = ['PA', '19103', 'Philadelphia'] as const;

describe('tax that is exactly half a cent', () => {
  test('is not reached by rounding a percentage of the price first', () => {
    // 80 % of 0.0757 is 0.06056, and 8.25 % of it 0.0049962: rounded to 0.0606 first, it would be taxed with 0.0049995.
    expect(taxed(ROUND_ROCK, 0, [[1, 0.0757, '30070']]).amount_to_collect).toBe(0);
    expect(taxed(ROUND_ROCK, 0, [[1, 0.0758, '30070']]).amount_to_collect).toBe(0.01);
  });
});

describe('a free item', () => {
  const FOOD = [1, 50, '40030'] as const;

  test.for([
    ['a gift', [1, 0]],
    ['a quantity of none', [0, 20]],
  ] as const)('leaves the shipping of exempt goods untaxed: %s', ([, free]) => {
    for (const place of [ALBANY, PHILADELPHIA, MADISON])
      expect(taxed(place, 10, [FOOD, free])).toMatchObject({
        amount_to_collect: 0,
        freight_taxable: false,
      });
  });

  test('alone has taxed shipping', () => {
    expect(taxed(ALBANY, 10, [[1, 0]])).toMatchObject({ amount_to_collect: 0.8, freight_taxable: true });
  });
});
