import { openExceptions, type PeriodReport } from './period-report.ts';

/** What the book over many months has of one: a report takes megabytes, and those of all months would fill memory. */
export type MonthFigures = Pick<PeriodReport, 'states' | 'readiness'> & {
  /** The number of open exceptions. */
  readonly open: number;
};

export const monthFigures = (report: PeriodReport): MonthFigures => ({
  states: report.states,
  readiness: report.readiness,
  open: openExceptions(report).length,
});
