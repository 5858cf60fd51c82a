import { describe, expect, test } from 'vitest';
import { ServiceRefusal } from '../../src/contract/refusal.ts';
import { orderTo, taxOf } from './tax-of.ts';

const refusalOf = (body: object): readonly [number, string] => {
  try {
    taxOf(body);
  } catch (error) {
    if (error instanceof ServiceRefusal) return [error.status, String(error.body.detail)];
    throw error;
  }
  throw new Error('the request was accepted');
};

describe('lines and amounts', () => {
  const toOakland = (changes: object) => orderTo('CA', '94607', 'Oakland', changes);

  test('an amount of a hundred billion dollars is exact', () => {
    const result = taxOf(toOakland({ line_items: [{ unit_price: '99999999999.99' }] }));
    expect(result.amount_to_collect).toBe(10_750_000_000);
    expect(result.breakdown).toMatchObject({ county_tax_collectable: 1_000_000_000 });
  });

  test('an amount past what can be calculated is refused', () => {
    const huge = [{ unit_price: 900_000_000_000, quantity: 1_000_000 }];
    expect(refusalOf(toOakland({ line_items: huge }))[0]).toBe(406);
  });
});

describe('freight', () => {
  test.for([
    ['CA', '94607', 'Oakland', null, false, 'not taxed where it is stated apart'],
    ['GA', '30344', 'East Point', null, true, 'taxed with taxable goods'],
    ['IN', '46204', 'Indianapolis', '40030', false, 'not taxed with exempt goods only'],
    ['HI', '96732', 'Kahului', null, true, 'always taxed'],
  ] as const)('%s %s %s %s: %s, %s', ([state, zip, city, code, taxable]) => {
    const lines = [{ unit_price: 50, product_tax_code: code }];
    const result = taxOf(orderTo(state, zip, city, { shipping: 10, line_items: lines }));
    expect(result.freight_taxable).toBe(taxable);
    expect(result.breakdown?.shipping !== undefined).toBe(taxable);
  });

  test('freight of nothing is there with its rates, where the law taxes freight', () => {
    const result = taxOf(orderTo('GA', '30344', 'East Point'));
    expect(result).toMatchObject({
      freight_taxable: true,
      breakdown: { shipping: { taxable_amount: 0, tax_collectable: 0, combined_tax_rate: 0.0875 } },
    });
  });

  const GOODS_AND_FOOD = [{ unit_price: 60 }, { unit_price: 40, product_tax_code: '40030' }];

  test.for([
    ['WA', '98101', 'Seattle', 66, 6.96, 'none of the food, so none of its share'],
    ['GA', '30344', 'East Point', 110, 7.87, 'what counties take of food they take of its share'],
    ['TX', '78701', 'Austin', 70, 5.78, 'no rule that shares: all of it'],
  ] as const)('of goods and food in %s %s %s: %d of 110.00 taxed, %d', ([state, zip, city, taxable, tax]) => {
    const result = taxOf(orderTo(state, zip, city, { shipping: 10, line_items: GOODS_AND_FOOD }));
    expect(result).toMatchObject({ taxable_amount: taxable, amount_to_collect: tax, freight_taxable: true });
  });

  test.for([
    ['TN', '37203', 'Nashville', 7.43],
    ['MS', '39201', 'Jackson', 5.5],
    ['NY', '11215', 'Brooklyn', 0],
  ] as const)('of food in %s %s %s is taxed as the food is: %d on 110.00', ([state, zip, city, tax]) => {
    const food = [{ unit_price: 100, product_tax_code: '40030' }];
    const result = taxOf(orderTo(state, zip, city, { shipping: 10, line_items: food }));
    expect(result.amount_to_collect).toBe(tax);
  });

  test('of goods at several rates is shared between them, by price', () => {
    const result = taxOf(
      orderTo('NC', '27601', 'Raleigh', { shipping: 10, line_items: GOODS_AND_FOOD }),
    ).breakdown;
    // 6.00 at 4.75 % and all of it at 2.00 % for the county; 6.00 at 0.50 % for transit
    expect(result?.shipping).toMatchObject({
      taxable_amount: 10,
      state_amount: 0.29,
      county_amount: 0.2,
      special_district_amount: 0.03,
    });
    expect(result?.tax_collectable).toBe(5.67);
  });

  const CLOTHES = '20010';
  const ordered = (prices: readonly number[]) =>
    prices.map((unit_price, index) => ({ id: String(index), unit_price, product_tax_code: CLOTHES }));

  test.for([
    ['TX', '77002', 'Houston', '2026-08-08', [95], 8.66, 'is part of the price, which is 105.00'],
    ['TX', '77002', 'Houston', '2026-08-08', [89.99], 0, 'leaves the price below the limit'],
    ['TX', '77002', 'Houston', '2026-08-08', [95, 60], 0, 'can all be put to 60.00'],
    ['TX', '77002', 'Houston', '2026-08-08', [95, 92], 8.42, 'is put to 92.00'],
    ['TX', '77002', 'Houston', '2026-08-08', [95, 150], 13.2, 'is put to what is taxed in any case'],
    ['WV', '25301', 'Charleston', '2026-08-01', [95], 0.7, 'is taxed by itself'],
    ['TX', '77002', 'Houston', '2026-09-08', [95], 8.66, 'is taxed on every other day'],
    ['CT', '06103', 'Hartford', '2026-08-18', [95], 0, 'does not count towards the limit'],
    ['AL', '36104', 'Montgomery', '2026-07-18', [150], 0, 'does not count where it is not taxed'],
  ] as const)(
    'of clothes in %s %s %s on %s, %j and 10.00: %d, it %s',
    ([state, zip, city, on, prices, tax]) => {
      const order = orderTo(state, zip, city, { shipping: 10, line_items: ordered(prices) });
      const { breakdown } = taxOf(order, { on });
      const due = breakdown as { state_tax_collectable: number; tax_collectable: number } | undefined;
      expect(state === 'AL' ? due?.state_tax_collectable : due?.tax_collectable).toBe(tax);
    },
  );

  test.for([
    [[285], 20, 3.85],
    [[500, 250], 75, 22.75],
    [[245], 10, 0.35],
    [[240], 10, 0],
  ] as const)(
    'is part of the price above which Rhode Island taxes clothes: %j and %d, %d',
    ([prices, shipping, tax]) => {
      const result = taxOf(orderTo('RI', '02903', 'Providence', { shipping, line_items: ordered(prices) }));
      expect(result).toMatchObject({ amount_to_collect: tax, freight_taxable: tax !== 0 });
    },
  );

  test('is part of the price of a single article in Tennessee', () => {
    const of = (unit_price: number, shipping: number) =>
      taxOf(orderTo('TN', '37902', 'Knoxville', { shipping, line_items: [{ unit_price }] }));
    // 7.00 and 2.75 percent of the freight, and none of the 2.25 percent of the county
    expect(of(2000, 20).amount_to_collect).toBe(of(2020, 0).amount_to_collect);
    expect(of(1590, 20).amount_to_collect).toBe(of(1610, 0).amount_to_collect);
  });
});

test('exemptions an exempt order keeps its totals and its places; all that is taxed is zero', () => {
  const body = orderTo('GA', '30344', 'East Point', { exemption_type: 'other', shipping: 5 });
  expect(taxOf(body)).toMatchObject({
    order_total_amount: 105,
    shipping: 5,
    taxable_amount: 0,
    amount_to_collect: 0,
    rate: 0,
    has_nexus: true,
    freight_taxable: false,
    tax_source: 'destination',
    jurisdictions: { country: 'US', state: 'GA', county: 'FULTON', city: 'EAST POINT' },
    breakdown: {
      taxable_amount: 0,
      combined_tax_rate: 0,
      state_tax_rate: 0,
      line_items: [{ id: '1', state_sales_tax_rate: 0, taxable_amount: 0, tax_collectable: 0 }],
    },
  });
});

describe('an explanation', () => {
  test('names the day, the content and what is doubtful', () => {
    const body = orderTo('NY', '14604', 'Rochester', {
      explain: true,
      shipping: 5,
      line_items: [{ id: 'shirt', unit_price: 80, product_tax_code: '20010' }],
    });
    const { explanation } = taxOf(body);
    expect(explanation).toMatchObject({
      as_of: '2026-10-31',
      content: 'tieout-default 4 of 2026-11-30',
    });
    expect(explanation?.flags).toContainEqual(
      expect.stringMatching(/^How NY taxes freight is open, or leaves a choice/),
    );
  });

  test('is not there unless it is asked for', () => {
    expect(taxOf(orderTo('NY', '14604', 'Rochester'))).not.toHaveProperty('explanation');
  });

  test('says why nothing was calculated', () => {
    const body = orderTo('NY', '14604', '', { explain: true, to_country: 'JP' });
    expect(taxOf(body).explanation).toMatchObject({
      flags: ['JP is not a country of this content: nothing was calculated.'],
    });
  });
});
