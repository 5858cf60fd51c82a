import { isFinerThan, scaled, shortText } from './decimal-text.ts';
import { DefectError } from './errors.ts';
import { type Money, money } from './money.ts';
import { roundQuotient } from './rounding.ts';

declare const brand: unique symbol;

/**
 * A decimal of dollars with up to four places, as a whole number of ten-thousandths: for unit prices, and for amounts
 * exactly as they were sent. Always a safe integer.
 */
export type Price = number & { readonly [brand]: 'Price' };

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
export const parsePrice = (text: string): Price | undefined => {
  const value = scaled(text, PRICE_PLACES);
  return value === undefined ? undefined : price(value);
};

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
