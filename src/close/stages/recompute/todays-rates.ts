import type { TaxResult } from '../../../contract/tax-result.ts';
import type { Configuration } from '../../configuration/schema.ts';
import type { Sale } from '../../sales/sale.ts';

/**
 * Whether a calculation was made with the rates of the day on which it was asked for and not with those of the sale's
 * day. `calculation_date` is an extension of the interface that a service may ignore without a word, so an answer
 * that does not name the day is taken for one of today, unless the configuration knows better.
 */
export const hasTodaysRates = (
  { url, asOf }: Configuration['service'],
  { taxDate }: Pick<Sale, 'taxDate'>,
  { calculation_date }: TaxResult,
): boolean => {
  if (url === undefined || asOf === 'honoured') return false;
  return asOf === 'ignored' || calculation_date !== taxDate;
};
