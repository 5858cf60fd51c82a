import { expect, test } from 'vitest';
import { contradictionOf, TaxResult } from '../../src/contract/tax-result.ts';

const level = { taxable: 100, rate: 0.06, tax: 6 };
const BREAKDOWN = {
  taxable_amount: 100,
  tax_collectable: 8,
  combined_tax_rate: 0.08,
  state_taxable_amount: 100,
  state_tax_rate: level.rate,
  state_tax_collectable: level.tax,
  county_taxable_amount: 100,
  county_tax_rate: 0.02,
  county_tax_collectable: 2,
  city_taxable_amount: 0,
  city_tax_rate: 0,
  city_tax_collectable: 0,
  special_district_taxable_amount: 0,
  special_tax_rate: 0,
  special_district_tax_collectable: 0,
};
const ANSWER = {
  taxable_amount: 100,
  amount_to_collect: 8,
  rate: 0.08,
  has_nexus: true,
  freight_taxable: false,
  tax_source: 'destination',
  jurisdictions: { country: 'US', state: 'CO' },
  breakdown: BREAKDOWN,
};
const REQUEST = {
  to_country: 'US',
  to_state: 'CO',
  to_zip: '81201',
  amount: '100.00',
  shipping: '0.00',
};

const said = (changes: object, request: object = {}) =>
  contradictionOf(TaxResult.parse({ ...ANSWER, ...changes }), { ...REQUEST, ...request });

test('a sound answer, and cents of rounding, contradict nothing', () => {
  expect(said({})).toBe(undefined);
  expect(said({ amount_to_collect: 8.03 })).toBe(undefined);
  expect(
    said({ amount_to_collect: 0, taxable_amount: 0, rate: 0, has_nexus: false, breakdown: undefined }),
  ).toBe(undefined);
});

test.each([
  ['a negative tax', { amount_to_collect: -8 }, 'an amount of -8.00, and nothing of the sale is negative'],
  ['tax on nothing', { taxable_amount: 0 }, 'tax of 8.00 on a taxable amount of 0.00'],
  ['tax without nexus', { has_nexus: false }, 'tax of 8.00 and no nexus'],
  ['tax that is not its rate', { rate: 0.07 }, 'not its rate of 0.07'],
  ['a breakdown of another tax', { breakdown: { ...BREAKDOWN, tax_collectable: 9 } }, 'comes to 9.00'],
  ['levels of another tax', { breakdown: { ...BREAKDOWN, county_tax_collectable: 3 } }, 'comes to 9.00'],
  [
    'an answer to the mirror of the sale',
    { taxable_amount: -100, amount_to_collect: -8, breakdown: undefined },
    'an amount of -8.00, and nothing of the sale is negative',
  ],
  [
    'a level of another sign',
    { breakdown: { ...BREAKDOWN, state_tax_collectable: 10, county_tax_collectable: -2 } },
    'an amount of -2.00',
  ],
  [
    'more that is taxed than was sold',
    { taxable_amount: 200, amount_to_collect: 16, breakdown: undefined },
    'its taxable amount is 200.00, and the sale comes to 100.00',
  ],
  [
    'another state',
    { jurisdictions: { country: 'US', state: 'TX' } },
    'it is about TX, and CO was asked about',
  ],
])('%s is a contradiction', (_, changes, why) => {
  expect(said(changes)).toContain(why);
});

test('a sale that is taxed where it ships from is held against that state', () => {
  const origin = { tax_source: 'origin', jurisdictions: { country: 'US', state: 'TX' } };
  expect(said(origin, { from_state: 'TX' })).toBe(undefined);
});

test('an answer to lines of both signs may have both', () => {
  const lines = [
    { unit_price: '150.00', quantity: 1 },
    { unit_price: '0.00', quantity: 1, discount: '50.00' },
  ];
  const county = { state_tax_collectable: 10, county_tax_collectable: -2 };
  expect(said({ breakdown: { ...BREAKDOWN, ...county } }, { line_items: lines })).toBe(undefined);
});

test('without the request, signs and levels are held against one another', () => {
  const why = (changes: object) => contradictionOf(TaxResult.parse({ ...ANSWER, ...changes }));
  expect(why({ amount_to_collect: -8 })).toContain('tax of -8.00 on a taxable amount of 100.00');
  expect(why({ rate: 0.07 })).toContain('not its rate of 0.07');
});
