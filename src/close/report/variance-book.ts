import { startOfUtcDay } from '../../kernel/calendar.ts';
import { formatMoney, type Money, subtract, sum, ZERO } from '../../kernel/money.ts';
import { cellOf, formula } from '../workbook/cell.ts';
import { type Check, checksSheet } from '../workbook/checks-sheet.ts';
import { quoted } from '../workbook/references.ts';
import { filled, streamed } from '../workbook/sheet.ts';
import { textSheet } from '../workbook/text-sheet.ts';
import type { WorkbookContent } from '../workbook/write-workbook.ts';
import {
  type DetailRows,
  openExceptions,
  type PeriodReport,
  totalOf,
  unexplainedOf,
} from './period-report.ts';
import { BY_REASON } from './sheets/by-reason.ts';
import { BY_STATE, type StateRow } from './sheets/by-state.ts';
import { COMPLETENESS, extraOf } from './sheets/completeness.ts';
import { DETAIL } from './sheets/detail.ts';
import { EXCEPTIONS } from './sheets/exceptions.ts';
import { INPUTS } from './sheets/inputs.ts';

/** variance.xlsx: what was charged against what should have been, and why they differ. */
export const varianceBook = (report: PeriodReport, detail: DetailRows): WorkbookContent => ({
  properties: {
    title: `Sales tax variance ${report.period.label}: ${report.seller}`,
    creator: report.program,
    company: report.seller,
    created: startOfUtcDay(report.period.last),
  },
  sheets: [
    readme(report),
    checksSheet(checksOf(report)),
    filled(BY_STATE, stateRows(report)),
    filled(BY_REASON, report.reasons),
    filled(EXCEPTIONS, report.exceptions),
    filled(COMPLETENESS, report.days),
    filled(INPUTS, report.inputs),
    streamed(DETAIL, { count: report.detailRows, rows: detail() }),
  ],
});

const stateRows = (report: PeriodReport): readonly StateRow[] =>
  report.states.map((state) => {
    const exceptions = report.exceptions.filter((exception) => exception.state === state.state);
    return {
      ...state,
      since: report.registrations.find((registration) => registration.state === state.state)?.since ?? '',
      topReason: topReasonOf(
        exceptions.filter(({ code, effect }) => /^R\d\d$/.test(code) && effect !== ZERO),
      ),
      exceptions,
    };
  });

/** The code that moves the most tax, whatever its sign. */
const topReasonOf = (exceptions: readonly { readonly code: string; readonly effect: Money }[]): string => {
  const weights = new Map<string, number>();
  for (const { code, effect } of exceptions) weights.set(code, (weights.get(code) ?? 0) + Math.abs(effect));
  const ranked = [...weights].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  return ranked[0]?.[0] ?? '';
};

const readme = (report: PeriodReport) =>
  textSheet({
    name: 'README',
    title: `Sales tax variance: ${report.seller}, ${report.period.label}`,
    blocks: [
      {
        lines: [
          { label: 'Seller', value: cellOf('text', `${report.seller} (${report.entity})`) },
          {
            label: 'Period',
            value: cellOf(
              'text',
              `${report.period.first} to ${report.period.last}, business dates in ${report.timeZone}`,
            ),
          },
          { label: 'Tax service', value: cellOf('text', report.service) },
          { label: 'Made by', value: cellOf('text', report.program) },
          {
            label: 'Conclusion',
            value: cellOf(
              'status',
              formula((at) => at.name('ALL_OK'), conclusionOf(report)),
            ),
            note: 'From the sheet Checks.',
            flagWhen: { attention: (cell) => `${cell}<>"ALL OK"`, good: (cell) => `${cell}="ALL OK"` },
          },
        ],
      },
      { heading: 'What this workbook shows' },
      {
        paragraph:
          'For every order and refund of the period three figures: collected, what the shop charged; expected, what the tax service calculates as of the day of the sale; recorded, what the service holds. Variance is collected minus expected, and every cent of it stands under a reason that was proved by computing the tax again with one or two things changed.',
      },
      {
        paragraph:
          'Totals are live formulas over the table Detail. Every row of Detail names the file and the line of the export it came from. Refunds are negative. Rows that are not posted are shown and counted, and are in no tax total.',
      },
      { heading: 'Sheets' },
      {
        lines: [
          {
            label: 'Checks',
            value: cellOf('text', 'Two ways to each figure, side by side, and one cell that sums them up.'),
          },
          { label: 'By state', value: cellOf('text', 'Sales and the three figures, state by state.') },
          { label: 'By reason', value: cellOf('text', 'The variance by the reason that proves it.') },
          {
            label: 'Exceptions',
            value: cellOf('text', 'Everything a person should see, with what was decided.'),
          },
          { label: 'Completeness', value: cellOf('text', 'Exported, posted and read back, day by day.') },
          {
            label: 'Inputs',
            value: cellOf('text', 'The files that were read, and what became of their rows.'),
          },
          { label: 'Detail', value: cellOf('text', 'Every order and refund.') },
        ],
      },
      { heading: 'Limits' },
      {
        paragraph:
          'Local rates are as complete as the tax content of the service named above: where it does not know a place, the rates it knows are used and the difference shows as variance. Refunds that the export does not date or split are shown as exceptions and are not posted.',
      },
    ],
  });

const conclusionOf = (report: PeriodReport): string =>
  checksOf(report).every(isEqual) ? 'ALL OK' : 'NOT OK';

const isEqual = (check: Check): boolean =>
  Math.abs(resultOf(check.left) - resultOf(check.right)) <= (check.tolerance ?? 0);

const resultOf = (cell: Check['left']): number => {
  if (typeof cell === 'object' && cell !== null && 'result' in cell) return cell.result ?? 0;
  return cell ?? 0;
};

/** The ties between the sheets of the book, each as two formulas over different tables. */
const checksOf = (report: PeriodReport): readonly Check[] => {
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

/** Whether everything in the book ties out. */
export const isAllOk = (report: PeriodReport): boolean => conclusionOf(report) === 'ALL OK';
