import { type Money, money } from '../../../kernel/money.ts';
import { RATE_PLACES, type Rate } from '../../../kernel/rate.ts';
import { roundBigQuotient } from '../../../kernel/rounding.ts';
import type { RoundTo } from './expression.ts';

/** An exact decimal: `units` times ten to the power of minus `places`. Amounts before rounding, and rates. */
export type ExactDollars = { readonly units: bigint; readonly places: number };

export const NOTHING: ExactDollars = { units: 0n, places: 0 };

export const exactOfMoney = (amount: Money): ExactDollars => ({ units: BigInt(amount), places: 2 });
export const exactOfRate = (value: Rate): ExactDollars => ({ units: BigInt(value), places: RATE_PLACES });

const unitsAt = ({ units, places }: ExactDollars, wanted: number): bigint =>
  units * 10n ** BigInt(wanted - places);

export const addExact = (left: ExactDollars, right: ExactDollars): ExactDollars => {
  const places = Math.max(left.places, right.places);
  return { units: unitsAt(left, places) + unitsAt(right, places), places };
};

export const negateExact = ({ units, places }: ExactDollars): ExactDollars => ({ units: -units, places });

export const multiplyExact = (left: ExactDollars, right: ExactDollars): ExactDollars => ({
  units: left.units * right.units,
  places: left.places + right.places,
});

export const isLess = (left: ExactDollars, right: ExactDollars): boolean =>
  addExact(left, negateExact(right)).units < 0n;

const PLACES = { cents: 2, dollars: 0 } as const;

/** The amount in cents, rounded once, half away from zero, to cents or to whole dollars. */
export const roundExact = (value: ExactDollars, to: RoundTo): Money => {
  const wanted = PLACES[to];
  const units =
    value.places <= wanted
      ? unitsAt(value, wanted)
      : roundBigQuotient(value.units, 10n ** BigInt(value.places - wanted));
  return money(Number(units) * (to === 'dollars' ? 100 : 1));
};
