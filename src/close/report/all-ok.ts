import { passes } from '../workbook/checks-sheet.ts';
import { filingChecks } from './filing-checks.ts';
import type { PeriodReport } from './period-report.ts';
import { varianceChecks } from './variance-checks.ts';

/** Whether every check of every book passes: the one question that the exit code answers. */
export const isAllOk = (report: PeriodReport): boolean => failedTests(report).length === 0;

/** What does not hold, as sentences, each once. */
export const failedTests = (report: PeriodReport): readonly string[] => {
  const failed = [...varianceChecks(report), ...filingChecks(report)].filter((check) => !passes(check));
  return [
    ...new Set([
      ...failed.map(({ test }) => test),
      ...(report.returnsAgree ? [] : ['The returns agree with the figures they are made of']),
    ]),
  ];
};
