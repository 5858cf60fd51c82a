import { type Money, subtract } from '../../kernel/money.ts';
import { RATE_ONE, type Rate, rate } from '../../kernel/rate.ts';
import { roundBigQuotient } from '../../kernel/rounding.ts';
import { NOTHING, plus, rounded } from './fraction.ts';
import type { Level, TaxModel } from './tax-model.ts';

/**
 * Upper limit of all local rates combined: 10 %. The highest known are 8.3 % (Winter Park, Colorado), so what was charged
 * beyond it is not taken for a rate that the tax content lacks.
 */
export const LOCAL_MAX: Rate = rate(1_000_000);

/** Whether the local part of a total rate is within the limit. */
export const isLocalRate = (total: Rate, rates: ReadonlyMap<Level, Rate>): boolean =>
  total - (rates.get('state') ?? 0) <= LOCAL_MAX;

/**
 * Whether the tax collected in addition to the state's is within the limit. The limit is applied to all that was sold,
 * because a shop may tax more of it than the law does.
 */
export const isLocalTax = (collected: Money, amount: Money, { units }: TaxModel): boolean => {
  const ofState = units
    .flatMap(({ shares }) => shares.filter(({ level }) => level === 'state'))
    .reduce((total, { tax }) => plus(total, tax), NOTHING);
  const most = roundBigQuotient(BigInt(amount) * BigInt(LOCAL_MAX), BigInt(RATE_ONE));
  return subtract(collected, rounded(ofState)) <= most;
};
