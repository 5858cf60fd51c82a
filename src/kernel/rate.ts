import { isFinerThan, scaled, shortText } from './decimal-text.ts';
import { DefectError } from './errors.ts';

declare const brand: unique symbol;

/**
 * A tax rate as a decimal fraction with up to seven places, stored as a whole number of ten-millionths: 8.875 % is
 * the text `0.08875` and the integer 887,500.
 */
export type Rate = number & { readonly [brand]: 'Rate' };

export const RATE_PLACES = 7;
/** Ten-millionths in a rate of 100 %. */
export const RATE_ONE = 10_000_000;

export const rate = (tenMillionths: number): Rate => {
  if (!Number.isSafeInteger(tenMillionths)) throw new DefectError(`${tenMillionths} is not an exact rate`);
  return (tenMillionths + 0) as Rate;
};

export const ZERO_RATE: Rate = rate(0);

/** Read `0.0625`. `undefined` when the text is not a plain decimal, or is finer than seven places. */
export const parseRate = (text: string): Rate | undefined => {
  if (isFinerThan(text, RATE_PLACES)) return undefined;
  const value = scaled(text, RATE_PLACES);
  return value === undefined ? undefined : rate(value);
};

/** Format as `0.0625`, without trailing zeros; zero is `0`. */
export const formatRate = (value: Rate): string => shortText(value, RATE_PLACES);

/** Format as `6.25%`, without trailing zeros; zero is `0%`. */
export const formatPercent = (value: Rate): string => `${shortText(value, RATE_PLACES - 2)}%`;
