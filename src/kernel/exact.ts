import { Decimal } from 'decimal.js';

/**
 * Exact decimals: the reference arithmetic of the program, for parsing, rates and oracles. decimal.js silently rounds
 * to 20 significant digits by default; this clone keeps 80, more than any product of amounts and rates here needs,
 * and rounds half away from zero like everything else.
 */
export const Exact = Decimal.clone({
  precision: 80,
  rounding: Decimal.ROUND_HALF_UP,
  toExpNeg: -40,
  toExpPos: 40,
});
export type Exact = Decimal;

const DECIMAL_TEXT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
const TEXT_LENGTH_MAX = 40;

/** A plain decimal number such as `-12.50`: no exponent, no grouping, no symbol, no `NaN`. */
export const isDecimalText = (text: string): boolean =>
  text.length <= TEXT_LENGTH_MAX && DECIMAL_TEXT.test(text);
