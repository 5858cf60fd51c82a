import { describe, expect, test } from 'vitest';
import { orderTo, taxOf } from './tax-of.ts';

const sale = (from: readonly string[], to: readonly string[]) => {
  const [fromState = '', fromZip, fromCity] = from;
  const [state = '', zip = '', city] = to;
  return taxOf(orderTo(state, zip, city, { from_state: fromState, from_zip: fromZip, from_city: fromCity }));
};

const AUSTIN = ['TX', '78701', 'Austin'];
const EL_PASO = ['TX', '79901', 'El Paso'];
const PORTLAND = ['OR', '97204', 'Portland'];
const OAKLAND = ['CA', '94607', 'Oakland'];
const SAN_DIEGO = ['CA', '92101', 'San Diego'];

describe('whose place is taxed', () => {
  test.for([
    [AUSTIN, EL_PASO, 'origin', 'AUSTIN', 'a seller inside an origin state'],
    [PORTLAND, EL_PASO, 'destination', 'EL PASO', 'a seller from outside it'],
    [SAN_DIEGO, OAKLAND, 'destination', 'OAKLAND', 'mixed sourcing reports the destination'],
    [
      ['NY', '10001', 'New York'],
      ['NY', '14604', 'Rochester'],
      'destination',
      'ROCHESTER',
      'a destination state',
    ],
    [['TX', '', 'Austin'], EL_PASO, 'destination', 'EL PASO', 'an origin without ZIP cannot be taxed'],
  ] as const)('%j to %j: %s, %s (%s)', ([from, to, source, city]) => {
    const result = sale(from, to);
    expect([result.tax_source, result.jurisdictions?.city]).toEqual([source, city]);
  });

  test('a mixed state takes the districts of the destination', () => {
    expect(sale(SAN_DIEGO, OAKLAND).breakdown).toMatchObject({ special_tax_rate: 0.035 });
  });
});
