import type { OtherReading, OwnEngine } from '../../contract/own-engine.ts';
import { ServiceRefusal } from '../../contract/refusal.ts';
import type { TaxResult } from '../../contract/tax-result.ts';
import type { Place, Sale } from '../sales/sale.ts';
import { taxRequestOf } from '../sales/tax-request-of.ts';
import type { AnsweredHypothesis } from './hypothesis.ts';
import { answerAbout } from './part-of-order.ts';
import { type OrderCalculation, readingsOfWhatIsLeft } from './what-is-left.ts';

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
    const readings = engine.otherReadings(request);
    const differing = readings.filter((one) => one.result.amount_to_collect !== result.amount_to_collect);
    const law = differing.map(
      ({ what, result: whole }): AnsweredHypothesis => ({
        code: 'R31',
        what,
        result: answerAbout(sale, whole),
        whole,
      }),
    );
    const charged = [
      { result, calculate: engine.calculate },
      ...readings.map((one) => byReading(engine, one)),
    ]
      .filter((one) => one.result.amount_to_collect === sale.partOf?.salesTax)
      .flatMap((one) => readingsOfWhatIsLeft(sale, request, one, expected));
    return [...law, ...charged];
  } catch (error) {
    if (error instanceof ServiceRefusal) return [];
    throw error;
  }
};

/** The calculation by a reading of the law; where an order has no such reading, that of the engine. */
const byReading = (engine: OwnEngine, { what, result }: OtherReading): OrderCalculation => ({
  result,
  calculate: (request) =>
    engine.otherReadings(request).find((one) => one.what === what)?.result ?? engine.calculate(request),
});
