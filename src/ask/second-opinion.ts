import { answerAbout } from '../close/reconcile/part-of-order.ts';
import type { Sale } from '../close/sales/sale.ts';
import { taxRequestOf } from '../close/sales/tax-request-of.ts';
import { ServiceRefusal } from '../contract/refusal.ts';
import type { TaxResult } from '../contract/tax-result.ts';
import { type Money, subtract } from '../kernel/money.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { hasTodaysRates } from './todays-rates.ts';

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
