import { fixedText, isFinerThan, roundQuotient, scaled, shortText } from './decimal.ts';
import { DefectError } from './errors.ts';

declare const moneyBrand: unique symbol;

/** An amount of US dollars as a whole number of cents. Always a safe integer: a larger sum throws. */
export type Money = number & { readonly [moneyBrand]: 'Money' };

const MONEY_PLACES = 2;
export const CENTS_PER_DOLLAR = 100;

/** Convert cents to Money. @throws {DefectError} when the count is not a safe integer. */
export const money = (cents: number): Money => {
  if (!Number.isSafeInteger(cents)) throw new DefectError(`${cents} is not a whole, exact number of cents`);
  return (cents + 0) as Money;
};

export const ZERO: Money = money(0);

/** Read `12.5`, `-0.05` or `59.0000`. `undefined` when the text is not a plain decimal, or is finer than a cent. */
export const parseMoney = (text: string): Money | undefined =>
  isFinerThan(text, MONEY_PLACES) ? undefined : (scaled(text, MONEY_PLACES) as Money | undefined);

/** Format as `1234.50`: always two places, never grouped. */
export const formatMoney = (amount: Money): string => fixedText(amount, MONEY_PLACES);

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

/** Add a row to those of the same key: these figures add up, and all else stays as the first row has it. */
export const addRow = <Key, Figure extends string, Row extends Readonly<Record<Figure, number>>>(
  rows: Map<Key, Row>,
  key: Key,
  row: Row,
  figures: readonly Figure[],
): void => {
  const known = rows.get(key);
  const total = { ...row, ...known };
  const sums: Record<Figure, number> = total;
  if (known) for (const figure of figures) sums[figure] = money(known[figure] + row[figure]);
  rows.set(key, total);
};

/** Return the amount, or zero if it is negative. */
export const atLeastZero = (amount: Money): Money => (amount < 0 ? ZERO : amount);

export const lesser = (left: Money, right: Money): Money => money(Math.min(left, right));

declare const priceBrand: unique symbol;

/**
 * A decimal of dollars with up to four places, as a whole number of ten-thousandths: for unit prices, and for amounts
 * exactly as they were sent. Always a safe integer.
 */
export type Price = number & { readonly [priceBrand]: 'Price' };

/** Decimal places of a price. */
export const PRICE_PLACES = 4;
/** Ten-thousandths in a dollar. */
export const PRICE_ONE = 10_000;
/** Ten-thousandths of a dollar in one cent. */
export const PRICES_PER_CENT = 100;

/** Convert ten-thousandths of a dollar to a Price. @throws {DefectError} when the count is not a safe integer. */
export const price = (tenThousandths: number): Price => {
  if (!Number.isSafeInteger(tenThousandths)) throw new DefectError(`${tenThousandths} is not an exact price`);
  return (tenThousandths + 0) as Price;
};

export const ZERO_PRICE: Price = price(0);

/** Read a plain decimal; digits past the fourth place are rounded. `undefined` for other text and too large numbers. */
export const parsePrice = (text: string): Price | undefined =>
  scaled(text, PRICE_PLACES) as Price | undefined;

/** Read a plain decimal with at most four significant places; anything finer is `undefined`, not rounded. */
export const parseExactPrice = (text: string): Price | undefined =>
  isFinerThan(text, PRICE_PLACES) ? undefined : parsePrice(text);

/**
 * Read a plain decimal of any fineness as the nearest price that rounds to the same cent as the decimal itself. Rounding
 * twice could go one cent too far: 1.00496 is 1.00, and so is the 1.0049 that this returns, but not 1.0050.
 */
export const parseFinePrice = (text: string): Price | undefined => {
  const nearest = parsePrice(text);
  if (nearest === undefined || !isFinerThan(text, PRICE_PLACES)) return nearest;
  const isHalfCent = Math.abs(nearest) % PRICES_PER_CENT === PRICES_PER_CENT / 2;
  const isAbove = /\.\d{4}[5-9]/.test(text);
  return isHalfCent && isAbove ? price(nearest - Math.sign(nearest)) : nearest;
};

/** Format as `19.99`, `0.1234` or `5.00`: at least two places, and no more than needed. */
export const formatPrice = (value: Price): string => shortText(value, PRICE_PLACES, 2);

export const priceOfMoney = (amount: Money): Price => price(amount * PRICES_PER_CENT);

export const isWholeCents = (value: Price): boolean => value % PRICES_PER_CENT === 0;

/** Round the price to the nearest cent, half away from zero. */
export const moneyOfPrice = (value: Price): Money => money(roundQuotient(value, PRICES_PER_CENT));

declare const rateBrand: unique symbol;

/**
 * A tax rate as a decimal fraction with up to seven places, stored as a whole number of ten-millionths: 8.875 % is
 * the text `0.08875` and the integer 887,500.
 */
export type Rate = number & { readonly [rateBrand]: 'Rate' };

export const RATE_PLACES = 7;
/** Ten-millionths in a rate of 100 %. */
export const RATE_ONE = 10_000_000;

export const rate = (tenMillionths: number): Rate => {
  if (!Number.isSafeInteger(tenMillionths)) throw new DefectError(`${tenMillionths} is not an exact rate`);
  return (tenMillionths + 0) as Rate;
};

export const ZERO_RATE: Rate = rate(0);

/** Read `0.0625`. `undefined` when the text is not a plain decimal, or is finer than seven places. */
export const parseRate = (text: string): Rate | undefined =>
  isFinerThan(text, RATE_PLACES) ? undefined : (scaled(text, RATE_PLACES) as Rate | undefined);

/** Format as `0.0625`, without trailing zeros; zero is `0`. */
export const formatRate = (value: Rate): string => shortText(value, RATE_PLACES);

/** Format as `6.25%`, without trailing zeros; zero is `0%`. */
export const formatPercent = (value: Rate): string => `${shortText(value, RATE_PLACES - 2)}%`;

/**
 * Split an amount in proportion to weights, to the cent. The parts add up to the whole, and each is less than a cent
 * away from its exact share. Leftover cents go to the largest remainders, earliest first. A negative amount is split
 * as the mirror image of the positive one. When all weights are zero, the first part takes the whole amount.
 */
export const allocate = (amount: Money, weights: readonly number[]): Money[] => {
  if (weights.length === 0) throw new DefectError('an amount cannot be split over no parts');
  let total = 0;
  for (const weight of weights) {
    if (!Number.isSafeInteger(weight) || weight < 0)
      throw new DefectError('weights are whole numbers from zero up');
    total += weight;
  }
  if (total === 0) return weights.map((_, index) => (index === 0 ? amount : money(0)));

  const sign = amount < 0 ? -1 : 1;
  const magnitude = Math.abs(amount);
  // `total` is at least every weight: while its product is exact, so are all the others. Else all of it is of bigints.
  const exact = (magnitude * total <= Number.MAX_SAFE_INTEGER ? Number : BigInt) as (count: number) => number;
  const whole = weights.reduce((running, weight) => running + exact(weight), exact(0));
  const shares = weights.map((weight, index): Share => {
    const product = exact(magnitude) * exact(weight);
    const remainder = product % whole;
    return { floor: Number((product - remainder) / whole), index, remainder };
  });
  let leftOver = magnitude;
  for (const { floor } of shares) leftOver -= floor;
  if (leftOver > 0)
    for (const share of [...shares].sort(byRemainderThenIndex).slice(0, leftOver)) share.floor += 1;
  return shares.map(({ floor }) => money(sign * floor));
};

/** The whole cents of a part, and the remainder of its exact share. */
type Share = { floor: number; readonly index: number; readonly remainder: number };

const byRemainderThenIndex = (left: Share, right: Share): number => {
  if (left.remainder !== right.remainder) return left.remainder > right.remainder ? -1 : 1;
  return left.index - right.index;
};
