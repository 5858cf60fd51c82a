import type { PeriodFiling } from '../figures/period-filing.ts';
import { type PeriodReport, unexplainedOf } from '../figures/period-report.ts';
import { readinessOf } from '../reconcile/readiness.ts';
import { passes } from '../workbook/checks-sheet.ts';
import { filingChecks } from './filing-checks.ts';
import { returnsChecks, salesCheck } from './returns-checks.ts';
import { payableCheck } from './sheets/filing/still-payable.ts';
import { tieChecks } from './variance-checks.ts';

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

/** The checks of both books that do not hold, as sentences, each once. What the policy decides is not among them. */
const failedTests = (report: PeriodReport, filing: PeriodFiling): readonly string[] => [
  ...new Set(
    [
      ...tieChecks(report),
      ...filingChecks(report),
      ...returnsChecks(filing),
      payableCheck(report, filing),
      salesCheck(report, filing),
    ]
      .filter((check) => !passes(check))
      .map(({ test }) => test),
  ),
];
