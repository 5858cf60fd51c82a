import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ROUNDING_GRAINS,
  type RoundingGrain,
  SHIPPING_UNIT,
  stateOnly,
  type TaxModel,
  taxModelOf,
  taxOf,
  withFreight,
} from '../../../src/close/reconcile/tax-model.ts';
import { money } from '../../../src/kernel/money.ts';
import { anyUnit, anyUnits, cents, exactTax, plain, resultOf, unit, WITHOUT_NEXUS } from './result-of.ts';

const modelOf = (...given: Parameters<typeof resultOf>): TaxModel => {
  const model = taxModelOf(resultOf(...given));
  if (!model) throw new Error('there is no model');
  return model;
};

describe('the model of a calculation', () => {
  test('computes the tax that the service computed', () => {
    fc.assert(
      fc.property(anyUnits, fc.option(anyUnit, { nil: undefined }), (lines, shipping) => {
        const units = shipping ? [...lines, shipping] : lines;
        expect(taxOf(modelOf(lines, shipping), 'order')).toBe(cents(exactTax(units)));
      }),
    );
  });

  test('has a unit for each line, and for shipping where it is taxed', () => {
    expect(modelOf([plain(100), plain(200)]).units.map(({ id }) => id)).toEqual(['1', '2']);
    expect(modelOf([plain(100)], plain(50)).units.map(({ id }) => id)).toEqual(['1', SHIPPING_UNIT]);
  });

  test('is not there without a breakdown by level', () => {
    expect(taxModelOf(WITHOUT_NEXUS)).toBeUndefined();
    const abroad = { ...WITHOUT_NEXUS, breakdown: { country_taxable_amount: money(100) } };
    expect(taxModelOf(abroad as unknown as Parameters<typeof taxModelOf>[0])).toBeUndefined();
  });
});

describe('the grain of rounding', () => {
  // Two lines with 0.4 cents of state and 0.4 cents of city tax each: 1.6 cents in all.
  const crumbs = modelOf([
    unit({ state: [40, 100_000], city: [40, 100_000] }),
    unit({ state: [40, 100_000], city: [40, 100_000] }),
  ]);

  test.for([
    ['order', 2, '1.6 cents'],
    ['line', 2, 'twice 0.8 cents'],
    ['jurisdiction', 2, 'twice 0.8 cents, the other way'],
    ['line and jurisdiction', 0, 'four times 0.4 cents'],
  ] as const)('%s gives %i cents: %s', ([grain, tax]) => {
    expect(taxOf(crumbs, grain)).toBe(tax);
  });

  test('never matters by more than half a cent for each part and the whole', () => {
    fc.assert(
      fc.property(anyUnits, fc.constantFrom(...ROUNDING_GRAINS), (units, grain: RoundingGrain) => {
        const difference = Math.abs(taxOf(modelOf(units), grain) - taxOf(modelOf(units), 'order'));
        expect(difference).toBeLessThanOrEqual((units.length * 4 + 1) / 2);
      }),
    );
  });
});

describe('a model with one thing changed', () => {
  test.for([
    [undefined, true, 'shipping that was free is taxed like the goods'],
    [plain(1000), false, 'shipping that was taxed is free'],
  ] as const)('with %j on shipping before, taxed after: %s (%s)', ([shipping, taxed]) => {
    const { model, taxed: isTaxed } = withFreight(modelOf([plain(10_000)], shipping), money(1000));
    expect(isTaxed).toBe(taxed);
    const units = taxed ? [plain(10_000), plain(1000)] : [plain(10_000)];
    expect(taxOf(model, 'order')).toBe(cents(exactTax(units)));
  });

  test('taxes shipping at the highest rates of the goods, level by level', () => {
    const lines = [
      unit({ state: [1000, 625_000], city: [1000, 100_000] }),
      unit({ state: [500, 100_000], city: [0, 300_000] }),
    ];
    const { model } = withFreight(modelOf(lines), money(1000));
    expect(model.units.at(-1)?.shares).toEqual([
      { level: 'state', rate: 625_000, taxable: 1000 },
      { level: 'county', rate: 0, taxable: 1000 },
      { level: 'city', rate: 300_000, taxable: 1000 },
      { level: 'special', rate: 0, taxable: 1000 },
    ]);
  });

  test('frees shipping again after it was taxed', () => {
    const start = modelOf([plain(10_000)]);
    const { model } = withFreight(start, money(1000));
    expect(withFreight(model, money(1000)).model).toEqual(start);
  });

  test('may keep the tax of the state alone', () => {
    fc.assert(
      fc.property(anyUnits, (units) => {
        expect(taxOf(stateOnly(modelOf(units)), 'order')).toBe(cents(exactTax(units, ['state'])));
      }),
    );
  });
});
