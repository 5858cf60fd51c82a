import { type Money, sum } from '../../kernel/money.ts';
import type { ReasonCode } from '../reconcile/reason.ts';
import type { PeriodReport } from './period-report.ts';

/** The reasons that move the variance, with what each of them adds to it. */
export const movingReasons = ({
  reasons,
}: PeriodReport): readonly { readonly code: ReasonCode; readonly amount: Money }[] =>
  reasons
    .map(({ code, over, under }) => ({ code, amount: sum([over, under]) }))
    .filter(({ amount }) => amount !== 0);
