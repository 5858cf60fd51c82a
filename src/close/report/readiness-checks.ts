import { linesToDecide, type PeriodReport } from '../figures/period-report.ts';
import { linesOfReason } from '../reconcile/decide-lines.ts';
import type { Check } from '../workbook/checks-sheet.ts';

/** Builds the checks that no line of Decide is open, and that nothing beside them keeps the period from being filed. */
export const readinessChecks = (report: PeriodReport): readonly Check[] => {
  const lines = linesToDecide(report);
  const { reasons } = report.readiness;
  const apart = reasons.filter((reason) => linesOfReason(lines, reason).length === 0);
  return [
    {
      id: 'P01',
      test: 'No line of Decide in variance.xlsx is open.',
      format: 'count',
      left: reasons.length - apart.length,
      right: 0,
    },
    ...apart.map(
      ({ what }, index): Check => ({
        id: `P${String(index + 2).padStart(2, '0')}`,
        test: `Settled: ${what}`,
        format: 'count',
        left: 1,
        right: 0,
      }),
    ),
  ];
};
