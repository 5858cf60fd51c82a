import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RoundingGrain, type TaxModel, taxModelOf, taxOf } from '../../src/judge/tax-model.ts';
import { money, price } from '../../src/kernel/money.ts';
import { LINE } from '../sales/sale-of.ts';
import { anyResult, anyUnit, anyUnits, cents, exactTax, plain, resultOf, unit } from './result-of.ts';

const modelOf = (...given: Parameters<typeof resultOf>): TaxModel => taxModelOf(resultOf(...given));
const at = (model: TaxModel, grain: RoundingGrain) => taxOf({ ...model, grain });

describe('the model of a calculation', () => {
  test('computes the tax that the service computed', () => {
    fc.assert(
      fc.property(anyUnits, fc.option(anyUnit, { nil: undefined }), (lines, shipping) => {
        const units = shipping ? [...lines, shipping] : lines;
        expect(taxOf(modelOf(lines, shipping))).toBe(cents(exactTax(units)));
      }),
    );
  });

  test('gives the tax of the answer, whatever rule made it', () => {
    fc.assert(
      fc.property(anyResult, fc.integer({ min: 0, max: 10_000 }), (result, more) => {
        const odd = { ...result, amount_to_collect: money(result.amount_to_collect + more) };
        expect(taxOf(taxModelOf(odd))).toBe(odd.amount_to_collect);
      }),
    );
  });

  test('takes the printed tax of a line where the rate does not give it', () => {
    // An extra tax on a band of the price: 7 % of 2,000.00 and 2.75 % of 400.00.
    const banded = resultOf([unit({ state: [200_000, 700_000] })]);
    const line = (banded.breakdown as { line_items: Record<string, unknown>[] }).line_items[0];
    const result = {
      ...banded,
      amount_to_collect: money(15_100),
      breakdown: { ...banded.breakdown, line_items: [{ ...line, state_amount: money(15_100) }] },
    };
    const model = taxModelOf(result as never);
    expect([model.rest, taxOf(model)]).toEqual([0, 15_100]);
  });

  test('knows amounts finer than a cent from the lines of the sale', () => {
    // Three at 0.1666: 0.4998 is printed as 0.50, and taxed at 8.25 % it is 4.1234 cents, not 4.125.
    const lines = [{ ...LINE, quantity: 3, unitPrice: price(1666) }];
    const [share] = taxModelOf(resultOf([plain(50)]), lines).units[0]?.shares ?? [];
    expect(share?.taxable).toBe(4998);
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
    expect(at(crumbs, grain)).toBe(tax);
  });
});
