import { type PeriodFiling, shorterReturns } from '../figures/period-filing.ts';
import { type PeriodReport, unexplainedOf } from '../figures/period-report.ts';
import { isOpen } from '../reconcile/exceptions.ts';
import { readinessOf } from '../reconcile/readiness.ts';
import { passes } from '../workbook/checks-sheet.ts';
import { filingChecks, returnsChecks, salesCheck } from './returns-checks.ts';
import { payableCheck } from './sheets/filing/still-payable.ts';
import { serviceChecks, tieChecks } from './variance-checks.ts';

/**
 * Returns the report with the decision on whether the period can be filed; everything that shows it reads it from here.
 */
export const decided = (report: PeriodReport, filing: PeriodFiling): PeriodReport => ({
  ...report,
  readiness: readinessOf({
    period: report.period,
    exceptions: report.exceptions,
    unexplained: unexplainedOf(report),
    tolerance: report.unexplainedTolerance,
    shorterReturns: shorterReturns(filing),
    failedTests: failedTests(report, filing),
  }),
});

/** Exceptions for single records that the service lacks, has in addition or has with other content. */
const OF_RECORDS = new Set(['R19', 'R20', 'recorded-not-posted', 'recorded-otherwise', 'listed-not-shown']);

/**
 * Returns the failed checks of both books, as sentences without duplicates. It omits checks that the policy decides,
 * and the service checks while an exception for a single record is open: the exception names its place, but a check
 * concerns every return.
 */
const failedTests = (report: PeriodReport, filing: PeriodFiling): readonly string[] => {
  const areRecordsOpen = report.exceptions.some((each) => isOpen(each) && OF_RECORDS.has(each.code));
  const said = new Set(areRecordsOpen ? serviceChecks(report).map(({ test }) => test) : []);
  const tests = [
    ...tieChecks(report),
    ...filingChecks(report),
    ...returnsChecks(filing),
    payableCheck(report, filing),
    salesCheck(report, filing),
  ]
    .filter((check) => !passes(check))
    .map(({ test }) => test);
  return [...new Set(tests)].filter((test) => !said.has(test));
};
