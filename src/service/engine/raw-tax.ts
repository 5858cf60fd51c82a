import { roundQuotient } from '../../kernel/decimal.ts';
import { type Money, money, type Rate, rate, ZERO_RATE } from '../../kernel/money.ts';
import { type Integer, roundOf, times } from './integer.ts';

/**
 * Unrounded tax: a whole number of 1e-11 dollars, the product of a price (1e-4 dollars) and a rate (1e-7). A bigint past
 * about 90,000 dollars of tax.
 */
export type RawTax = Integer;

const RAW_PER_CENT = 1_000_000_000;
/** Ten-millionths in the fifth decimal place of a rate. */
const RATE_STEP = 100;

/** Round the tax for printing: once, half away from zero. */
export const centsOfRaw = (raw: RawTax): Money => money(roundOf(raw, RAW_PER_CENT));

/**
 * Compute the rate for printing: unrounded tax over the taxable amount (1e-4 dollars), to five places. Zero when
 * nothing is taxable, and when positive and negative lines give a ratio that cannot be a rate.
 */
export const rateOfRaw = (raw: RawTax, taxable: Integer): Rate => {
  if (taxable === 0 || raw === 0) return ZERO_RATE;
  const steps =
    taxable < 0
      ? roundOf(times(raw, -1), times(taxable, -RATE_STEP))
      : roundOf(raw, times(taxable, RATE_STEP));
  return Number.isSafeInteger(steps * RATE_STEP) ? rate(steps * RATE_STEP) : ZERO_RATE;
};

/** Round a sum of nominal rates for printing, to five places. */
export const printedRate = (sum: number): Rate => rate(roundQuotient(sum, RATE_STEP) * RATE_STEP);

/** Round an amount of 1e-4 dollars for printing. */
export const centsOfBase = (base: number): Money => money(roundQuotient(base, 100));
