import type { OwnEngine } from '../../contract/own-engine.ts';
import { ServiceRefusal } from '../../contract/refusal.ts';
import type { TaxResult } from '../../contract/tax-result.ts';
import type { Place, Sale } from '../sales/sale.ts';
import { taxRequestOf } from '../sales/tax-request-of.ts';
import { allowanceReadings } from './allowance.ts';
import type { AnsweredHypothesis } from './hypothesis.ts';
import { answerAbout } from './part-of-order.ts';

/** Tieout's own engine, if there is one, and the place that the seller ships from. */
type Asking = { readonly engine?: OwnEngine; readonly configuration: { readonly shipFrom: Place } };

/**
 * Returns what a sale with a variance was due by other readings of the law, by Tieout's own engine; none where that does
 * not calculate what the service answered.
 */
export const readingsOf = (
  { engine, configuration: { shipFrom } }: Asking,
  sale: Sale,
  { has_nexus: hasNexus, amount_to_collect: expected }: TaxResult,
): readonly AnsweredHypothesis[] => {
  if (!engine || !hasNexus || sale.salesTax === expected) return [];
  const request = taxRequestOf(sale, shipFrom);
  try {
    const result = engine.calculate(request);
    if (answerAbout(sale, result).amount_to_collect !== expected) return [];
    const law = engine.otherReadings(request).map(
      ({ what, result: whole }): AnsweredHypothesis => ({
        code: 'R31',
        what,
        result: answerAbout(sale, whole),
        whole,
      }),
    );
    return [...law, ...allowanceReadings(sale, { request, result, expected, calculate: engine.calculate })];
  } catch (error) {
    if (error instanceof ServiceRefusal) return [];
    throw error;
  }
};
