import { fixedText, isFinerThan, scaled } from './decimal-text.ts';
import { DefectError } from './errors.ts';

declare const brand: unique symbol;

/** An amount of US dollars as a whole number of cents. Always a safe integer: a larger sum throws. */
export type Money = number & { readonly [brand]: 'Money' };

const PLACES = 2;
export const CENTS_PER_DOLLAR = 100;

/** Convert cents to Money. @throws {DefectError} when the count is not a safe integer. */
export const money = (cents: number): Money => {
  if (!Number.isSafeInteger(cents)) throw new DefectError(`${cents} is not a whole, exact number of cents`);
  return (cents + 0) as Money;
};

export const ZERO: Money = money(0);

/** Read `12.5`, `-0.05` or `59.0000`. `undefined` when the text is not a plain decimal, or is finer than a cent. */
export const parseMoney = (text: string): Money | undefined => {
  if (isFinerThan(text, PLACES)) return undefined;
  const cents = scaled(text, PLACES);
  return cents === undefined ? undefined : money(cents);
};

/** Format as `1234.50`: always two places, never grouped. */
export const formatMoney = (amount: Money): string => fixedText(amount, PLACES);

export const add = (left: Money, right: Money): Money => money(left + right);
export const subtract = (left: Money, right: Money): Money => money(left - right);
export const negate = (amount: Money): Money => money(-amount);
export const absolute = (amount: Money): Money => money(Math.abs(amount));

/** Add up the amounts. Every partial sum is checked, so an overflow is never silent. */
export const sum = (amounts: Iterable<Money>): Money => {
  let total = ZERO;
  for (const amount of amounts) total = add(total, amount);
  return total;
};

/** Return the amount, or zero if it is negative. */
export const atLeastZero = (amount: Money): Money => (amount < 0 ? ZERO : amount);

export const lesser = (left: Money, right: Money): Money => money(Math.min(left, right));
