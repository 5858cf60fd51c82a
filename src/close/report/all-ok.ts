import { passes } from '../workbook/checks-sheet.ts';
import { filingChecks } from './filing-checks.ts';
import type { PeriodReport } from './period-report.ts';
import { varianceChecks } from './variance-checks.ts';

/** Whether every check of every book passes: the one question that the exit code answers. */
export const isAllOk = (report: PeriodReport): boolean =>
  report.returnsAgree && [...varianceChecks(report), ...filingChecks(report)].every(passes);
