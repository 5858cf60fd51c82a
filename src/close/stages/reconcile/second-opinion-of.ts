import { ServiceRefusal } from '../../../contract/refusal.ts';
import type { Money } from '../../../kernel/money.ts';
import type { Sale } from '../../sales/sale.ts';
import { taxRequestOf } from '../../sales/tax-request-of.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/**
 * The tax of a sale by Tieout's own engine, to hold against that of another service; `undefined` where there is none, the
 * content lacks a rate at the place, or the engine refuses the address.
 */
export const secondOpinionOf = (
  { secondOpinion, configuration: { shipFrom } }: ClosePorts,
  sale: Sale,
): Money | undefined => {
  if (!secondOpinion) return undefined;
  const { coverage, calculate } = secondOpinion;
  if (coverage.gapAt({ from: shipFrom, to: sale.shipTo, day: sale.taxDate })) return undefined;
  try {
    return calculate(taxRequestOf(sale, shipFrom)).amount_to_collect;
  } catch (error) {
    if (error instanceof ServiceRefusal) return undefined;
    throw error;
  }
};
