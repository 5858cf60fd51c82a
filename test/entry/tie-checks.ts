import { tieChecks } from '../../src/books/variance-checks.ts';
import type { PeriodReport } from '../../src/figures/period-report.ts';
import { passes } from '../../src/workbook/checks-sheet.ts';

/** The ids of the checks of Tie-out that fail by a report. */
export const failingTies = (report: PeriodReport): readonly string[] =>
  tieChecks(report).flatMap((check) => (passes(check) ? [] : [check.id]));
