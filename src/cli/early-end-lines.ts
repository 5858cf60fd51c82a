import type { PeriodReport } from '../close/figures/period-report.ts';
import { earlyEnds } from '../close/reconcile/silent-days.ts';

/**
 * Lists channels whose exports may end too early: a file that is cut off between two records shows no other sign of it.
 */
export const earlyEndLines = ({ days, period }: Pick<PeriodReport, 'days' | 'period'>): readonly string[] =>
  earlyEnds(days, period).map(
    ({ channel, last }) =>
      `the exports of ${channel} end on ${last}, with no later sale of ${period.label}; if the shop sold more, export it again`,
  );
