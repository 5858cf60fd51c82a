import { Decimal } from 'decimal.js';

/**
 * Exact decimals: the oracle of the program's integers. decimal.js silently rounds to 20 significant digits by default; this
 * clone keeps 80, more than any product of amounts and rates here needs, and rounds half away from zero like everything
 * else.
 */
export const Exact = Decimal.clone({
  precision: 80,
  rounding: Decimal.ROUND_HALF_UP,
  toExpNeg: -40,
  toExpPos: 40,
});
