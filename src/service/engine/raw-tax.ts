import { type Money, money } from '../../kernel/money.ts';
import { type Rate, rate, ZERO_RATE } from '../../kernel/rate.ts';
import { roundBigQuotient, roundQuotient } from '../../kernel/rounding.ts';

/**
 * Unrounded tax: a whole number of 1e-11 dollars, the product of a price (1e-4 dollars) and a rate (1e-7). A number
 * while it is a safe integer, a bigint past 2^53 (about 90,000 dollars of tax), so it is exact at any size.
 */
export type RawTax = number | bigint;

const RAW_PER_CENT = 1_000_000_000;
const RAW_PER_CENT_BIG = 1_000_000_000n;
/** Ten-millionths in the fifth decimal place of a rate. */
const RATE_STEP = 100;

const isSafe = (value: number): boolean =>
  value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER;

/** Compute the tax on a base (1e-4 dollars) at a rate (1e-7). */
export const rawTax = (base: number, atRate: number): RawTax => {
  const product = base * atRate;
  return isSafe(product) ? product : BigInt(base) * BigInt(atRate);
};

export const addRaw = (left: RawTax, right: RawTax): RawTax => {
  if (typeof left === 'number' && typeof right === 'number') {
    const total = left + right;
    return isSafe(total) ? total : BigInt(left) + BigInt(right);
  }
  return BigInt(left) + BigInt(right);
};

/** Round the tax for printing: once, half away from zero. */
export const centsOfRaw = (raw: RawTax): Money =>
  money(
    typeof raw === 'number'
      ? roundQuotient(raw, RAW_PER_CENT)
      : Number(roundBigQuotient(raw, RAW_PER_CENT_BIG)),
  );

/**
 * Compute the rate for printing: unrounded tax over the taxable amount (1e-4 dollars), to five places. Zero when
 * nothing is taxable, and when positive and negative lines give a ratio that cannot be a rate.
 */
export const rateOfRaw = (raw: RawTax, taxable: number): Rate => {
  if (taxable === 0 || raw === 0 || raw === 0n) return ZERO_RATE;
  const divisor = Math.abs(taxable) * RATE_STEP;
  const numerator = taxable < 0 ? -raw : raw;
  const steps =
    typeof numerator === 'number' && isSafe(divisor)
      ? roundQuotient(numerator, divisor)
      : Number(roundBigQuotient(BigInt(numerator), BigInt(Math.abs(taxable)) * BigInt(RATE_STEP)));
  return isSafe(steps * RATE_STEP) ? rate(steps * RATE_STEP) : ZERO_RATE;
};

/** Round a sum of nominal rates for printing, to five places. */
export const printedRate = (sum: number): Rate => rate(roundQuotient(sum, RATE_STEP) * RATE_STEP);

/** Round an amount of 1e-4 dollars for printing. */
export const centsOfBase = (base: number): Money => money(roundQuotient(base, 100));
