import * as fc from 'fast-check';
import type { TaxResult } from '../../src/contract/tax-result.ts';
import { type Money, money, RATE_ONE, rate } from '../../src/kernel/money.ts';
import { Exact } from '../support/exact.ts';

type Decimal = InstanceType<typeof Exact>;

export const LEVELS = ['state', 'county', 'city', 'special'] as const;
export type Level = (typeof LEVELS)[number];

/** What each level taxes of a unit: cents, and the rate in ten-millionths. */
export type Unit = Readonly<Record<Level, readonly [taxable: number, rate: number]>>;

const NOTHING = [0, 0] as const;
export const unit = (levels: Partial<Unit>): Unit => ({
  state: NOTHING,
  county: NOTHING,
  city: NOTHING,
  special: NOTHING,
  ...levels,
});

/** 6.25 % of the state and 2 % of the city. */
export const plain = (taxable: number): Unit => unit({ state: [taxable, 625_000], city: [taxable, 200_000] });

/** The unrounded tax in cents, in exact decimals. */
export const exactTax = (units: readonly Unit[], levels: readonly Level[] = LEVELS): Decimal =>
  units
    .flatMap((one) => levels.map((level) => one[level]))
    .reduce(
      (total, [taxable, perUnit]) => total.add(new Exact(taxable).mul(perUnit).div(RATE_ONE)),
      new Exact(0),
    );

export const cents = (exact: Decimal): Money => money(exact.toDecimalPlaces(0).toNumber() + 0);

/** Whatever level taxes most is what the unit comes to. */
const baseOf = (one: Unit): Money => money(Math.max(...LEVELS.map((level) => one[level][0])));

const unitFields = (one: Unit) => ({
  taxable_amount: baseOf(one),
  tax_collectable: cents(exactTax([one])),
  combined_tax_rate: rate(0),
  state_taxable_amount: money(one.state[0]),
  state_sales_tax_rate: rate(one.state[1]),
  state_amount: cents(exactTax([one], ['state'])),
  county_taxable_amount: money(one.county[0]),
  county_tax_rate: rate(one.county[1]),
  county_amount: cents(exactTax([one], ['county'])),
  city_taxable_amount: money(one.city[0]),
  city_tax_rate: rate(one.city[1]),
  city_amount: cents(exactTax([one], ['city'])),
  special_tax_rate: rate(one.special[1]),
  special_district_amount: cents(exactTax([one], ['special'])),
});

/** The answer of the service to an order of these lines, and of shipping as far as it is taxed. */
export const resultOf = (
  lines: readonly Unit[],
  shipping?: Unit,
  changes: Partial<TaxResult> = {},
): TaxResult => {
  const units = shipping ? [...lines, shipping] : lines;
  const taxable = (level: Level) => money(units.reduce((total, one) => total + one[level][0], 0));
  const top = (level: Level) =>
    rate(Math.max(0, ...units.map((one) => (one[level][0] === 0 ? 0 : one[level][1]))));
  const tax = (level: Level) => cents(exactTax(units, [level]));
  const amount = cents(exactTax(units));
  const total = money(units.reduce((running, one) => running + baseOf(one), 0));
  return {
    taxable_amount: total,
    amount_to_collect: amount,
    rate: rate(0),
    has_nexus: true,
    freight_taxable: shipping !== undefined,
    tax_source: 'destination',
    jurisdictions: { country: 'US', state: 'CA', county: 'LOS ANGELES', city: 'SANTA MONICA' },
    breakdown: {
      taxable_amount: total,
      tax_collectable: amount,
      combined_tax_rate: rate(0),
      state_taxable_amount: taxable('state'),
      state_tax_rate: top('state'),
      state_tax_collectable: tax('state'),
      county_taxable_amount: taxable('county'),
      county_tax_rate: top('county'),
      county_tax_collectable: tax('county'),
      city_taxable_amount: taxable('city'),
      city_tax_rate: top('city'),
      city_tax_collectable: tax('city'),
      special_district_taxable_amount: taxable('special'),
      special_tax_rate: top('special'),
      special_district_tax_collectable: tax('special'),
      ...(shipping && {
        shipping: { ...unitFields(shipping), special_taxable_amount: money(shipping.special[0]) },
      }),
      line_items: lines.map((line, index) => ({
        id: String(index + 1),
        ...unitFields(line),
        special_district_taxable_amount: money(line.special[0]),
      })),
    },
    ...changes,
  };
};

export const WITHOUT_NEXUS: TaxResult = {
  taxable_amount: money(0),
  amount_to_collect: money(0),
  rate: rate(0),
  has_nexus: false,
  freight_taxable: false,
  tax_source: null,
};

const anyShare = fc.tuple(
  fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50_000 }), fc.integer({ min: 0, max: 100_000_000 })),
  fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_200_000 })),
);
export const anyUnit: fc.Arbitrary<Unit> = fc.record({
  state: anyShare,
  county: anyShare,
  city: anyShare,
  special: anyShare,
});
export const anyUnits = fc.array(anyUnit, { minLength: 1, maxLength: 6 });

/** Answers of the service of every shape, mixed rates and partly taxable lines among them. */
export const anyResult: fc.Arbitrary<TaxResult> = fc
  .tuple(anyUnits, fc.option(anyUnit, { nil: undefined }))
  .map(([lines, shipping]) => resultOf(lines, shipping));
