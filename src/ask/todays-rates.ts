import type { Configuration } from '../close/configuration/schema.ts';
import type { Sale } from '../close/sales/sale.ts';
import type { TaxResult } from '../contract/tax-result.ts';

/**
 * Whether a calculation used the rates of the day of the request instead of those of the sale's day. `calculation_date`
 * is an extension of the interface that a service may silently ignore, so an answer without the day counts as one with
 * today's rates, unless the configuration says otherwise.
 */
export const hasTodaysRates = (
  { url, asOf }: Configuration['service'],
  { taxDate }: Pick<Sale, 'taxDate'>,
  { calculation_date }: TaxResult,
): boolean => {
  if (url === undefined || asOf === 'honoured') return false;
  return asOf === 'ignored' || calculation_date !== taxDate;
};
