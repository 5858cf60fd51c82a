import { Decimal } from 'decimal.js';

/**
 * Exact decimals, for the formulas of returns. decimal.js silently rounds to 20 significant digits by default; this clone
 * keeps 80, more than any product of amounts and rates here needs, and rounds half away from zero like everything else.
 */
export const Exact = Decimal.clone({ precision: 80, rounding: Decimal.ROUND_HALF_UP });
export type Exact = Decimal;

const DECIMAL_TEXT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
const TEXT_LENGTH_MAX = 40;

/** A plain decimal number such as `-12.50`: no exponent, no grouping, no symbol, no `NaN`. */
export const isDecimalText = (text: string): boolean =>
  text.length <= TEXT_LENGTH_MAX && DECIMAL_TEXT.test(text);

/**
 * The one rounding rule: half away from zero, so that a refund exactly mirrors its order.
 *
 * Both functions divide an integer by a positive integer and round the quotient. The number form is exact for safe
 * integers: a quotient that is not whole is further from the next whole number than the error of the division, so its
 * whole part is right, and the remainder is a difference of safe integers.
 */
export const roundQuotient = (numerator: number, divisor: number): number => {
  const whole = Math.trunc(numerator / divisor);
  const remainder = numerator - whole * divisor;
  if (2 * Math.abs(remainder) < divisor) return whole + 0;
  return whole + (numerator < 0 ? -1 : 1);
};

/** The same rule for numerators that may exceed 2^53. */
export const roundBigQuotient = (numerator: bigint, divisor: bigint): bigint => {
  const remainder = numerator % divisor;
  const floor = numerator / divisor;
  const magnitude = remainder < 0n ? -remainder : remainder;
  if (2n * magnitude < divisor) return floor;
  return floor + (numerator < 0n ? -1n : 1n);
};

/**
 * Read a plain decimal as a scaled integer: `scaled('12.5', 2)` is 1250. Digits past the scale are rounded half away
 * from zero. `undefined` when the text is not a plain decimal or does not fit a safe integer.
 */
export const scaled = (text: string, places: number): number | undefined => {
  if (!isDecimalText(text)) return undefined;
  const negative = text.startsWith('-');
  const unsigned = negative || text.startsWith('+') ? text.slice(1) : text;
  const point = unsigned.indexOf('.');
  const whole = point < 0 ? unsigned : unsigned.slice(0, point);
  const fraction = point < 0 ? '' : unsigned.slice(point + 1);
  const kept = `${whole}${fraction.slice(0, places).padEnd(places, '0')}`;
  const cut = fraction.slice(places);
  const value = cut === '' ? Number(kept) : Number(withCutDigits(kept, cut));
  if (!Number.isSafeInteger(value)) return undefined;
  return negative && value !== 0 ? -value : value;
};

const withCutDigits = (kept: string, cut: string): bigint =>
  roundBigQuotient(BigInt(kept + cut), 10n ** BigInt(cut.length));

/** Whether the text has nonzero digits after `places` decimal places. */
export const isFinerThan = (text: string, places: number): boolean => {
  const point = text.indexOf('.');
  return point >= 0 && /[1-9]/.test(text.slice(point + 1 + places));
};

/** Write a scaled integer with all its places: `fixedText(-5, 2)` is `-0.05`. */
export const fixedText = (value: number, places: number): string => {
  const size = Math.abs(value);
  const one = 10 ** places;
  const fraction = size % one;
  const sign = value < 0 ? '-' : '';
  const whole = `${sign}${(size - fraction) / one}`;
  return places === 0 ? whole : `${whole}.${String(fraction).padStart(places, '0')}`;
};

/** Write a scaled integer with no trailing zeros, but at least `placesMin` places: `110.0`, `0.0375`. */
export const shortText = (value: number, places: number, placesMin = 0): string => {
  const text = fixedText(value, places);
  let end = text.length;
  const endMin = text.length - places + placesMin;
  while (end > endMin && text[end - 1] === '0') end -= 1;
  return text[end - 1] === '.' ? text.slice(0, end - 1) : text.slice(0, end);
};

/** Decimals with up to 15 digits each have a double of their own. */
const DIGITS_15 = 1e15;

/**
 * Return a number as a count of `unit`-ths (a power of ten), when its shortest decimal text has no more places than
 * the unit: `scaledNumber(12.5, 100)` is 1250, like `scaled('12.5', 2)`. `undefined` for any other number: the caller
 * has to read its text.
 *
 * The quotient of two whole numbers is the double nearest to it. So when `count / unit` is the number, and no other
 * decimal with so few digits has the same double, `count` contains the digits of the number.
 */
export const scaledNumber = (value: number, unit: number): number | undefined => {
  const count = Math.round(value * unit);
  return Math.abs(count) < DIGITS_15 && count / unit === value ? count + 0 : undefined;
};
