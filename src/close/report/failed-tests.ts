import { passes } from '../workbook/checks-sheet.ts';
import { filingChecks } from './filing-checks.ts';
import type { PeriodFiling } from './period-filing.ts';
import type { PeriodReport } from './period-report.ts';
import { returnsChecks } from './returns-checks.ts';
import { tieChecks } from './variance-checks.ts';

/** The checks of both books that do not hold, as sentences, each once. What the policy decides is not among them. */
export const failedTests = (report: PeriodReport, filing: PeriodFiling): readonly string[] => [
  ...new Set(
    [...tieChecks(report), ...filingChecks(report), ...returnsChecks(filing)]
      .filter((check) => !passes(check))
      .map(({ test }) => test),
  ),
];
