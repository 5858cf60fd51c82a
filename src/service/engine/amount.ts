import { floorOf, type Integer, minus, plus, times } from './integer.ts';

/**
 * An exact amount of 1e-4 dollars: a whole number and a part, `whole + part / divisor`, the part with the sign of the
 * amount and smaller than the divisor. A share of freight and a percentage of a price are seldom whole; to round them
 * before they are taxed would round the tax twice.
 */
export type Amount = { readonly whole: number; readonly part: Integer; readonly divisor: Integer };

export const wholeAmount = (whole: number): Amount => ({ whole, part: 0, divisor: 1 });

/** Divide by a positive number. */
export const quotientOf = (dividend: Integer, divisor: Integer): Amount => {
  if (dividend < 0) return negated(quotientOf(times(dividend, -1), divisor));
  const whole = floorOf(dividend, divisor);
  return { whole: Number(whole), part: minus(dividend, times(whole, divisor)), divisor };
};

const negated = ({ whole, part, divisor }: Amount): Amount => ({
  whole: -whole + 0,
  part: times(part, -1),
  divisor,
});

export const isNegative = ({ whole, part }: Amount): boolean => whole < 0 || part < 0;

export const absolute = (amount: Amount): Amount => (isNegative(amount) ? negated(amount) : amount);

// Limits are whole: an amount is below one if its whole part is.

/** Whether a positive amount is more than a whole limit. */
export const isOver = ({ whole, part }: Amount, limit: number): boolean =>
  whole > limit || (whole === limit && part > 0);

/** What of a positive amount is above a whole limit. */
export const above = (amount: Amount, limit: number): Amount => {
  if (limit === 0) return amount;
  const { whole, part, divisor } = amount;
  return whole < limit ? { whole: 0, part: 0, divisor } : { whole: whole - limit, part, divisor };
};

/** What of a positive amount is not above a whole limit. */
export const upTo = (amount: Amount, limit: number): Amount =>
  amount.whole < limit ? amount : wholeAmount(limit);

/** Take a percentage of a positive amount. */
export const percentOf = (amount: Amount, percent: number): Amount => {
  if (percent === 100) return amount;
  const { whole, part, divisor } = amount;
  const hundredths = times(divisor, 100);
  const product = times(whole, percent);
  const quotient = floorOf(product, 100);
  const rest = quotientOf(
    plus(times(minus(product, times(quotient, 100)), divisor), times(part, percent)),
    hundredths,
  );
  return { ...rest, whole: Number(quotient) + rest.whole };
};
