import type { Configuration } from '../close/configuration/schema.ts';
import { answerAbout } from '../close/reconcile/part-of-order.ts';
import type { Sale } from '../close/sales/sale.ts';
import { taxRequestOf } from '../close/sales/service-records.ts';
import { ServiceRefusal } from '../contract/refusal.ts';
import type { TaxResult } from '../contract/tax-result.ts';
import { type Money, subtract } from '../kernel/money.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/**
 * Returns the tax of a sale by Tieout's own engine where it differs from the answer of another service by more than
 * rounding; `undefined` where it agrees, or nothing can be said: the answer uses the rates of another day, the content
 * lacks a rate at the place, or the engine refuses the address. Where the content has rates of another day, a service
 * that expects more may know newer ones.
 */
export const secondOpinionOf = (
  { secondOpinion, configuration: { service, shipFrom } }: ClosePorts,
  sale: Sale,
  answer: TaxResult,
): Money | undefined => {
  if (!secondOpinion || hasTodaysRates(service, sale, answer)) return undefined;
  const { coverage, calculate } = secondOpinion;
  const gap = coverage.gapAt({ from: shipFrom, to: sale.shipTo, day: sale.taxDate });
  if (gap && gap.span === undefined) return undefined;
  try {
    const own = answerAbout(sale, calculate(taxRequestOf(sale, shipFrom))).amount_to_collect;
    const difference = subtract(own, answer.amount_to_collect);
    if (gap && (difference < 0 || gap.isEarly)) return undefined;
    return Math.abs(difference) > roundingOf(sale) ? own : undefined;
  } catch (error) {
    if (error instanceof ServiceRefusal) return undefined;
    throw error;
  }
};

/** Services round lines and jurisdictions separately, so a cent for each line and one more do not count. */
const roundingOf = ({ lines }: Sale): number => lines.length + 1;

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
