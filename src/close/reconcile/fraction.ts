import { type Money, money } from '../../kernel/money.ts';
import { roundBigQuotient } from '../../kernel/rounding.ts';

/** An exact quotient of whole numbers, in cents; the divisor is positive. */
export type Fraction = { readonly dividend: bigint; readonly divisor: bigint };

export const NOTHING: Fraction = { dividend: 0n, divisor: 1n };

export const wholeCents = (amount: Money): Fraction => ({ dividend: BigInt(amount), divisor: 1n });

export const plus = (left: Fraction, right: Fraction): Fraction => {
  if (right.dividend === 0n) return left;
  if (left.dividend === 0n) return right;
  if (left.divisor === right.divisor)
    return { dividend: left.dividend + right.dividend, divisor: left.divisor };
  return {
    dividend: left.dividend * right.divisor + right.dividend * left.divisor,
    divisor: left.divisor * right.divisor,
  };
};

export const isSame = (left: Fraction, right: Fraction): boolean =>
  left.dividend * right.divisor === right.dividend * left.divisor;

/** Round to the cent, half away from zero. */
export const rounded = ({ dividend, divisor }: Fraction): Money =>
  money(Number(roundBigQuotient(dividend, divisor)));

/** Parts per cent of the weights used for allocating amounts. */
const PARTS_OF_CENT = 1000n;

/** Convert sums to weights: proportional whole numbers, zero or more. */
export const weightsBy = <Key>(sums: ReadonlyMap<Key, Fraction>): ReadonlyMap<Key, number> =>
  new Map(
    [...sums].map(([key, { dividend, divisor }]) => {
      const weight = Number((dividend * PARTS_OF_CENT) / divisor);
      return [key, Math.max(0, Number.isSafeInteger(weight) ? weight : Number(dividend / divisor))];
    }),
  );
