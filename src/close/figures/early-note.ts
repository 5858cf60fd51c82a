import type { PeriodReport } from './period-report.ts';

/** Says of books that were made before their period was over when that was; `undefined` of all others. */
export const earlyNote = ({
  madeEarly,
  period,
}: Pick<PeriodReport, 'madeEarly' | 'period'>): string | undefined =>
  madeEarly === undefined
    ? undefined
    : `Preliminary: made on ${madeEarly}, before the period was over. Close it again after its last day, ${period.last}.`;
