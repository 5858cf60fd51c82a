import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../support/runs.ts';
import { orderTo, taxOf } from './tax-of.ts';

const PLACES = [
  ['CA', '94607', 'Oakland'],
  ['NY', '14604', 'Rochester'],
  ['TN', '37402', 'Chattanooga'],
  ['MA', '02110', 'Boston'],
  ['TX', '78701', 'Austin'],
  ['GA', '30344', 'East Point'],
] as const;

const cents = fc.integer({ min: 1, max: 5_000_000 });
const anyLine = fc.record({
  quantity: fc.integer({ min: 1, max: 20 }),
  price: cents,
  code: fc.constantFrom(null, '20010', '40030', '99999', '30070'),
});
const anyOrder = fc.record({
  place: fc.constantFrom(...PLACES),
  lines: fc.array(anyLine, { minLength: 1, maxLength: 6 }),
  shipping: fc.integer({ min: 0, max: 10_000 }),
});

type Order = typeof anyOrder extends fc.Arbitrary<infer Value> ? Value : never;

const taxed = ({ place: [state, zip, city], lines, shipping }: Order, sign: 1 | -1) =>
  taxOf(
    orderTo(state, zip, city, {
      shipping: (sign * shipping) / 100,
      line_items: lines.map(({ quantity, price, code }) => ({
        quantity,
        unit_price: (sign * price) / 100,
        product_tax_code: code,
      })),
    }),
  );

/** Every amount of a result negated; rates, flags, ids and names as they are. */
const mirrored = (value: unknown, key = ''): unknown => {
  if (typeof value === 'number') return key.endsWith('rate') ? value : -value + 0;
  if (Array.isArray(value)) return value.map((entry) => mirrored(entry));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, mirrored(entry, name)]));
};

test('a refund is the mirror of its order in every printed figure', () => {
  fc.assert(
    fc.property(anyOrder, (order) => {
      expect(taxed(order, -1)).toEqual(mirrored(taxed(order, 1)));
    }),
    { numRuns: runs(1_000) },
  );
});

test('an order collects what its breakdown says, and its taxable amounts are those of its units', () => {
  // Four fifths of a price can have fractions of a cent, which the order rounds once and its lines each.
  const wholeCents = anyOrder.filter(({ lines }) => lines.every(({ code }) => code !== '30070'));
  fc.assert(
    fc.property(wholeCents, (order) => {
      const { breakdown, amount_to_collect: collected, taxable_amount: taxable } = taxed(order, 1);
      expect(breakdown?.tax_collectable).toBe(collected);
      const units = [...(breakdown?.line_items ?? []), ...(breakdown?.shipping ? [breakdown.shipping] : [])];
      const sum = units.reduce((total, unit) => total + Math.round(Number(unit.taxable_amount) * 100), 0);
      expect(sum).toBe(Math.round(Number(taxable) * 100));
    }),
    { numRuns: runs(1_000) },
  );
});
