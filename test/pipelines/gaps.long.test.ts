import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LAS_VEGAS } from '../support/shop-exports.ts';
import { centsOf, closed, LIBERAL, sold, taxAt } from './gap-month.ts';

type Drawn = { readonly place: 'gap' | 'complete'; readonly more: number; readonly cents: number };

/** One wrong rate for each place of the month, and slips beside it. */
const anyMonth = fc.record({
  rates: fc.record({ gap: fc.integer({ min: 1, max: 40 }), complete: fc.integer({ min: 1, max: 10 }) }),
  sales: fc.array(
    fc.record<Drawn>({
      place: fc.constantFrom('gap', 'complete'),
      more: fc.oneof(
        { weight: 6, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: 60, max: 400 }) },
      ),
      cents: fc.integer({ min: 4_000, max: 60_000 }),
    }),
    { minLength: 15, maxLength: 45 },
  ),
});

const registrations = ['KS', 'NV'].map((state) => ({ state, since: '2019-01-01' }));

test('whatever a month brings: the parts are the variance, and a wrong rate in a complete place stays the seller’s', async () => {
  await fc.assert(
    fc.asyncProperty(anyMonth, async ({ rates, sales }) => {
      const drawn = sales.map(({ place, more, cents }, index) => {
        const rate = place === 'gap' ? 6_500 + rates.gap * 125 : 8_375 + rates.complete * 125;
        return sold(index, place === 'gap' ? LIBERAL : LAS_VEGAS, cents, taxAt(cents, rate) + more);
      });
      const found = await closed(drawn, { registrations });
      let variance = 0;
      expect(found.sales).toHaveLength(sales.length);
      for (const { sale, reconciled } of found.sales) {
        variance += sale.salesTax - reconciled.expected;
        const { reasons } = reconciled;
        expect(reasons.reduce((sum, { amount }) => sum + amount, 0)).toBe(
          sale.salesTax - reconciled.expected,
        );
        if (sale.shipTo.state === 'NV')
          expect(reasons.filter(({ code }) => code === 'R26' || code === 'R27')).toEqual([]);
      }
      const { totals } = found.figures;
      const parts = ['seller_errors', 'tieout_gaps', 'unexplained'].map((part) => centsOf(totals[part]));
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(variance);
      const right = sales.flatMap(({ place, more }, index) =>
        place === 'complete' && more === 0 ? [`#${index + 1}`] : [],
      );
      if (right.length < 12) return;
      const ofSeller = found.sales
        .filter(({ sale }) => right.includes(sale.origin.record))
        .flatMap(({ reconciled }) => reconciled.reasons);
      expect(new Set(ofSeller.map(({ code }) => code))).toEqual(new Set(['R02']));
      const again = await closed([...drawn].reverse(), { registrations });
      expect(again.figures.reasons).toEqual(found.figures.reasons);
    }),
    { numRuns: 15 },
  );
}, 120_000);
