import { readinessOf } from '../reconcile/readiness.ts';
import { failedTests } from './failed-tests.ts';
import type { PeriodFiling } from './period-filing.ts';
import { type PeriodReport, unexplainedOf } from './period-report.ts';

/** The report with the one decision whether the period can be filed: everything that shows it takes it from here. */
export const decided = (report: PeriodReport, filing: PeriodFiling): PeriodReport => ({
  ...report,
  readiness: readinessOf({
    period: report.period,
    exceptions: report.exceptions,
    unexplained: unexplainedOf(report),
    tolerance: report.unexplainedTolerance,
    failedTests: failedTests(report, filing),
  }),
});
