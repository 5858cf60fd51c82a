/** Digits of which no two decimals share a double. */
const DIGITS_15 = 1e15;

/**
 * How many `unit`-ths a number is, when its shortest decimal text has no more places than the unit (a power of ten):
 * `scaledNumber(12.5, 100)` is 1250, as `scaled('12.5', 2)` is. `undefined` for any other number: its text has to tell.
 *
 * The quotient of two whole numbers is the double next to it. So when the quotient is the number, and no other decimal of
 * so few digits has this double, its digits are the number's.
 */
export const scaledNumber = (value: number, unit: number): number | undefined => {
  const count = Math.round(value * unit);
  return Math.abs(count) < DIGITS_15 && count / unit === value ? count + 0 : undefined;
};

/** So many `unit`-ths as the number that their decimal text stands for: the double next to it. */
export const numberOfScaled = (count: number, unit: number): number => count / unit;
