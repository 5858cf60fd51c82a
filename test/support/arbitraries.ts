import * as fc from 'fast-check';
import { type CalendarDate, calendarDate, type Instant, instant } from '../../src/kernel/calendar.ts';
import { type Money, money, type Price, price, type Rate, rate } from '../../src/kernel/money.ts';

/** Integers of every size, with the edges of what is exact in a double among them. */
export const anySafeInteger: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.maxSafeInteger(),
  fc.integer({ min: 0, max: 1000 }).map((step) => Number.MAX_SAFE_INTEGER - step),
  fc.integer({ min: 0, max: 1000 }).map((step) => Number.MIN_SAFE_INTEGER + step),
);

export const anyMoney: fc.Arbitrary<Money> = anySafeInteger.map(money);
export const anyPrice: fc.Arbitrary<Price> = anySafeInteger.map(price);
export const anyRate: fc.Arbitrary<Rate> = anySafeInteger.map(rate);

/** Amounts as they stand on orders: up to ten million dollars, from zero up. */
export const anyOrderAmount: fc.Arbitrary<Money> = fc
  .oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 1_000_000_000 }))
  .map(money);

/** Parts of a whole, among them zeros and very unequal ones. */
export const anyWeights: fc.Arbitrary<number[]> = fc.array(
  fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 100 }),
    fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  ),
  { minLength: 1, maxLength: 40 },
);

const FIRST = Date.UTC(1971, 0, 1);
const LAST = Date.UTC(2099, 11, 31, 23, 59, 59, 999);

/** Points in time of the years 1971 to 2099, to the millisecond. */
export const anyInstant: fc.Arbitrary<Instant> = fc.integer({ min: FIRST, max: LAST }).map(instant);

export const anyDate: fc.Arbitrary<CalendarDate> = fc
  .integer({ min: FIRST, max: LAST })
  .map((at) => calendarDate(new Date(at).toISOString().slice(0, 10)));
