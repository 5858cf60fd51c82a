import type { TaxResult, UsBreakdown } from '../../src/contract/tax-result.ts';
import { RATE_ONE } from '../../src/kernel/rate.ts';
import { roundQuotient } from '../../src/kernel/rounding.ts';
import type { MonthOrder } from './draw-order.ts';

/** Steps of an eighth of a percent, up to four percent. */
const STEP = 12_500;
const STEPS = 33;

/**
 * What a shop charges whose local rates are all invented: its own rate at each place beside that of the state, each of
 * them rounded. It is the worst that can be drawn: nearly every sale in a state with a tax varies.
 */
export const inventedTaxCents = (
  { place }: MonthOrder,
  { amount_to_collect, breakdown }: TaxResult,
): number => {
  const { state_taxable_amount: base = 0, state_tax_collectable: state = 0 } =
    (breakdown as UsBreakdown | undefined) ?? {};
  if (base === 0) return amount_to_collect;
  const local = (Number(place.zip.slice(0, 5)) % STEPS) * STEP;
  return state + roundQuotient(base * local, RATE_ONE);
};
