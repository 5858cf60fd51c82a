import { type Money, sum } from '../../kernel/money.ts';
import type { ReasonCode } from '../reconcile/reason.ts';
import type { PeriodReport } from './period-report.ts';

/** Returns the reasons that change the variance, with the amount of each. */
export const movingReasons = ({
  reasons,
}: PeriodReport): readonly { readonly code: ReasonCode; readonly amount: Money }[] =>
  reasons
    .map(({ code, over, under }) => ({ code, amount: sum([over, under]) }))
    .filter(({ amount }) => amount !== 0);
