import { type Money, ZERO } from '../../kernel/money.ts';
import { REASONS, type ReasonCode } from '../reconcile/reason.ts';
import { splitVariance, type VariancePart } from '../reconcile/variance-part.ts';
import type { PeriodReport } from './period-report.ts';

/** The variance of a state split by whose it is. */
export const partsOfState = (
  { stateReasons }: Pick<PeriodReport, 'stateReasons'>,
  state: string,
): Readonly<Record<VariancePart, Money>> =>
  splitVariance(
    stateReasons
      .filter((reason) => reason.state === state)
      .map(({ code, amount }) => ({ code, over: amount, under: ZERO })),
  );

/** How the bridge calls a reason. */
export const reasonTitle = (code: ReasonCode): string => `${code} ${REASONS[code].name}`;

/** The reason that has the most of a state's variance in the bridge, whatever its sign. */
export const mainReasonOf = (
  stateReasons: PeriodReport['stateReasons'],
  state: string,
): string | undefined => {
  const own = stateReasons.filter((reason) => reason.state === state && reason.amount !== ZERO);
  const [first] = own.sort((left, right) => Math.abs(right.amount) - Math.abs(left.amount));
  return first && reasonTitle(first.code);
};
