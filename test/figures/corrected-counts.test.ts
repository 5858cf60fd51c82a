import { expect, test } from 'vitest';
import { filingFigures } from '../../src/figures/filing-figures.ts';
import { gapNote } from '../../src/filing/return-notes.ts';
import { money } from '../../src/kernel/money.ts';
import { type FilingPeriod, parsePeriod } from '../../src/kernel/period.ts';
import type { Sale } from '../../src/sales/sale.ts';
import { rowOf } from '../judge/detail-rows.ts';
import { saleOf } from '../sales/sale-of.ts';

const PERIOD = parsePeriod('2026-10') as FilingPeriod;

/** The figures of the return of these records, each with so much tax under a rate that the tax content lacks. */
const figuresOf = (records: readonly (readonly [kind: Sale['kind'], id: string, cents: number])[]) => {
  const figures = filingFigures([], PERIOD);
  for (const [kind, id, cents] of records) {
    const sale = saleOf({ key: `shopify/${kind}/${id}`, kind, id });
    const reasons = [{ code: 'R27' as const, amount: money(cents), proof: 'a proof' }];
    figures.add(rowOf(sale, { reasons }), sale);
  }
  const [own] = figures.of('CA', PERIOD, []);
  if (!own) throw new Error('a state has a return of its own');
  return own;
};

test('a sale under a missing rate that is corrected counts once, and one that is taken back does not', () => {
  const versions = [
    ['order', '5', 125],
    ['refund', '5-late-1-reversal', -125],
  ] as const;
  expect(figuresOf(versions).gap).toMatchObject({ sales: 0, tax: 0 });
  const corrected = figuresOf([...versions, ['order', '5-late-1', 150]]);
  expect(corrected.gap).toMatchObject({ sales: 1, tax: 150 });
});

test('where a sale under a missing rate and a reversal cancel in number, the return names their sum', () => {
  const figures = figuresOf([
    ['order', '6', 500],
    ['refund', '5-late-1-reversal', -125],
  ]);
  expect(figures.gap).toMatchObject({ sales: 0, tax: 375 });
  expect(gapNote({ figures })).toContain('3.75 was collected under them.');
});
