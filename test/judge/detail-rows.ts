import { type DetailRow, detailRowOf } from '../../src/judge/detail-row.ts';
import { reconcileSale } from '../../src/judge/reconciled-sale.ts';
import { postingOf, type Sale } from '../../src/sales/sale.ts';
import { saleOf } from '../sales/sale-of.ts';
import { recordedOf } from './recorded-of.ts';
import { plain, resultOf } from './result-of.ts';

/** 8.25 expected on 100.00 of goods; 9.50 were collected, and are recorded as they were sent. */
export const EXPECTED = resultOf([plain(10_000)]);

/** The row of a sale that went all the way. */
export const rowOf = (sale: Sale = saleOf(), changes: Partial<DetailRow> = {}): DetailRow => {
  const reconciled = reconcileSale({
    sale,
    expectation: { basis: 'calculated', result: EXPECTED, alternatives: [] },
    recorded: recordedOf(sale),
    differences: [],
    detail: '',
  });
  const posting = postingOf(sale);
  return { ...detailRowOf(sale, posting, posting === 'posted' ? reconciled : undefined), ...changes };
};
