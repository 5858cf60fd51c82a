import { type Money, ZERO } from '../../kernel/money.ts';
import { splitVariance } from '../reconcile/period-totals.ts';
import { REASONS, type ReasonCode, type VariancePart } from '../reconcile/reason.ts';
import type { PeriodReport } from './period-report.ts';

/** Splits the variance of a state by cause: what the shop charged differently, gaps, and unexplained. */
export const partsOfState = (
  { stateReasons }: Pick<PeriodReport, 'stateReasons'>,
  state: string,
): Readonly<Record<VariancePart, Money>> =>
  splitVariance(
    stateReasons
      .filter((reason) => reason.state === state)
      .map(({ code, amount }) => ({ code, over: amount, under: ZERO })),
  );

/** Returns the title of a reason in the bridge. */
export const reasonTitle = (code: ReasonCode): string => `${code} ${REASONS[code].name}`;

/** Returns the reason with the largest amount in a state's variance, regardless of sign. */
export const mainReasonOf = (
  stateReasons: PeriodReport['stateReasons'],
  state: string,
): string | undefined => {
  const own = stateReasons.filter((reason) => reason.state === state && reason.amount !== ZERO);
  const [first] = own.sort((left, right) => Math.abs(right.amount) - Math.abs(left.amount));
  return first && reasonTitle(first.code);
};
