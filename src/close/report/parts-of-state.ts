import { type Money, ZERO } from '../../kernel/money.ts';
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
