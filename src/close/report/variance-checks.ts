import { formatMoney, type Money, subtract, sum, ZERO } from '../../kernel/money.ts';
import { formula } from '../workbook/cell.ts';
import type { Check } from '../workbook/checks-sheet.ts';
import { quoted } from '../workbook/references.ts';
import { openExceptions, type PeriodReport, totalOf, unexplainedOf } from './period-report.ts';
import { extraOf } from './sheets/completeness.ts';

/** The ties between the sheets of the book, each as two formulas over different tables. */
export const varianceChecks = (report: PeriodReport): readonly Check[] => {
  const total = (figure: Parameters<typeof totalOf>[1]) => totalOf(report, figure);
  const posted = report.days.reduce((count, day) => count + day.posted, 0);
  const recorded = report.days.reduce((count, day) => count + day.recorded, 0);
  const missing = report.days.reduce((count, day) => count + day.missing, 0);
  const extra = report.days.reduce((count, day) => count + extraOf(day), 0);
  const variance = subtract(total('collected'), total('expected'));
  const reasons = sum(report.reasons.flatMap(({ over, under }) => [over, under]));
  const rows = report.inputs.reduce((count, file) => count + file.rows, 0);
  const placed = report.inputs.reduce((count, file) => count + file.used + file.ignored + file.rejected, 0);
  const open = openExceptions(report).length;
  const detailOf = (title: string, result: Money) =>
    formula((at) => at.sumIfs('Detail', title, { Posted: quoted('Yes') }), result);
  return [
    {
      id: 'C01',
      test: 'Every row of the exports is used, ignored or rejected.',
      format: 'count',
      left: formula((at) => at.sum('Inputs', 'Rows'), rows),
      right: formula(
        (at) => `${at.sum('Inputs', 'Used')}+${at.sum('Inputs', 'Ignored')}+${at.sum('Inputs', 'Rejected')}`,
        placed,
      ),
      link: { sheet: 'Inputs' },
    },
    ...(['Gross', 'Collected', 'Expected', 'Recorded'] as const).map((title, index): Check => {
      const result = total(title.toLowerCase() as 'gross');
      return {
        id: `C0${index + 2}`,
        test: `${title} by state adds up to the posted rows of Detail.`,
        format: 'money',
        left: formula((at) => at.sum('By_state', title), result),
        right: detailOf(title, result),
        link: { sheet: 'By state' },
      };
    }),
    {
      id: 'C06',
      test: 'The reasons add up to collected minus expected.',
      format: 'money',
      left: formula((at) => at.sum('By_reason', 'Net'), reasons),
      right: formula((at) => at.sum('Detail', 'Variance'), variance),
      link: { sheet: 'By reason' },
    },
    {
      id: 'C07',
      test: 'The service holds as many records as were posted.',
      format: 'count',
      left: formula((at) => at.sum('Completeness', 'Recorded'), recorded),
      right: formula((at) => at.sum('Completeness', 'Posted'), posted),
      link: { sheet: 'Completeness' },
    },
    {
      id: 'C08',
      test: 'No posted sale is missing in the service, and no record there is unknown here.',
      format: 'count',
      left: formula(
        (at) => `${at.sum('Completeness', 'Missing')}+${at.sum('Completeness', 'Extra')}`,
        missing + extra,
      ),
      right: 0,
      link: { sheet: 'Completeness' },
    },
    {
      id: 'C09',
      test: 'The tax that the service holds is the tax that was collected.',
      format: 'money',
      left: formula(
        (at) => at.sum('Completeness', 'Tax recorded'),
        sum(report.days.map((day) => day.recordedTax)),
      ),
      right: detailOf('Collected', total('collected')),
      link: { sheet: 'Completeness' },
    },
    {
      id: 'C10',
      test: `Unexplained variance is at most ${formatMoney(report.unexplainedTolerance)}.`,
      format: 'money',
      left: unexplainedOf(report),
      right: ZERO,
      tolerance: report.unexplainedTolerance,
      link: { sheet: 'By reason' },
    },
    {
      id: 'C11',
      test: 'No exception is open.',
      format: 'count',
      left: formula((at) => at.countIfs('Exceptions', { Decision: quoted('open') }), open),
      right: 0,
      link: { sheet: 'Exceptions' },
    },
  ];
};
