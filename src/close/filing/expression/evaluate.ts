import { roundBigQuotient } from '../../../kernel/decimal.ts';
import { type Money, money, RATE_PLACES, type Rate } from '../../../kernel/money.ts';
import type { Expression, RoundTo } from './expression.ts';

/** Resolves the names in an expression. */
export type Environment = {
  readonly figure: (name: string) => Money;
  readonly line: (line: string) => Money;
  readonly rate: (name: string) => Rate;
  readonly schedule: (schedule: string, column: 'taxable' | 'tax') => Money;
  readonly taxableAt: (rate: Rate) => Money;
};

/** Computes the exact, unrounded value of an expression. */
export const evaluate = (expression: Expression, environment: Environment): ExactDollars => {
  const exactOf = (part: Expression): ExactDollars => evaluate(part, environment);
  switch (expression.kind) {
    case 'nothing':
      return NOTHING;
    case 'figure':
      return exactOfMoney(environment.figure(expression.name));
    case 'line':
      return exactOfMoney(environment.line(expression.line));
    case 'rate':
      return exactOfRate(environment.rate(expression.name));
    case 'schedule':
      return exactOfMoney(environment.schedule(expression.schedule, expression.column));
    case 'taxable-at':
      return exactOfMoney(environment.taxableAt(environment.rate(expression.rate)));
    case 'sum':
      return expression.terms
        .map(({ sign, of }) => (sign === 1 ? exactOf(of) : negateExact(exactOf(of))))
        .reduce(addExact, NOTHING);
    case 'product':
      return multiplyExact(exactOf(expression.amount), exactOf(expression.rate));
    case 'greatest':
      return expression.of.map(exactOf).reduce((most, value) => (isLess(most, value) ? value : most));
    case 'round':
      return exactOfMoney(roundExact(exactOf(expression.of), expression.to));
  }
};

/** An exact decimal, `units` × 10^−`places`, for rates and for amounts before rounding. */
type ExactDollars = { readonly units: bigint; readonly places: number };

const NOTHING: ExactDollars = { units: 0n, places: 0 };

export const exactOfMoney = (amount: Money): ExactDollars => ({ units: BigInt(amount), places: 2 });
export const exactOfRate = (value: Rate): ExactDollars => ({ units: BigInt(value), places: RATE_PLACES });

const unitsAt = ({ units, places }: ExactDollars, wanted: number): bigint =>
  units * 10n ** BigInt(wanted - places);

const addExact = (left: ExactDollars, right: ExactDollars): ExactDollars => {
  const places = Math.max(left.places, right.places);
  return { units: unitsAt(left, places) + unitsAt(right, places), places };
};

const negateExact = ({ units, places }: ExactDollars): ExactDollars => ({ units: -units, places });

export const multiplyExact = (left: ExactDollars, right: ExactDollars): ExactDollars => ({
  units: left.units * right.units,
  places: left.places + right.places,
});

const isLess = (left: ExactDollars, right: ExactDollars): boolean =>
  addExact(left, negateExact(right)).units < 0n;

const PLACES = { cents: 2, dollars: 0 } as const;

/** Rounds once to cents or whole dollars, half away from zero, and returns the amount in cents. */
export const roundExact = (value: ExactDollars, to: RoundTo): Money => {
  const wanted = PLACES[to];
  const units =
    value.places <= wanted
      ? unitsAt(value, wanted)
      : roundBigQuotient(value.units, 10n ** BigInt(value.places - wanted));
  return money(Number(units) * (to === 'dollars' ? 100 : 1));
};
