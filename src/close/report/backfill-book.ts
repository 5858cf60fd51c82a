import { startOfUtcDay } from '../../kernel/calendar.ts';
import { TieoutError } from '../../kernel/errors.ts';
import { type Money, sum } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { type MonthFigures, totalOf } from '../figures/period-report.ts';
import type { StateTotals } from '../reconcile/period-totals.ts';
import { type Cell, formula, quoted, type References } from '../workbook/cell.ts';
import { type Check, checksSheet } from '../workbook/checks-sheet.ts';
import { type Column, defineSheet, filled } from '../workbook/sheet.ts';
import type { WorkbookContent } from '../workbook/write-workbook.ts';
import { counted, summed, variance, word, words } from './sheets/parts.ts';

/** A month as the backfill left it. */
export type BackfilledMonth = {
  readonly period: FilingPeriod;
  readonly kind: string;
  readonly lockedBy?: string;
  readonly figures?: MonthFigures;
  readonly error?: unknown;
};

export type BackfillReport = {
  readonly seller: string;
  readonly program: string;
  readonly service: string;
  readonly range: FilingPeriod;
  readonly months: readonly BackfilledMonth[];
};

/** Builds backfill.xlsx: the months of a range side by side. */
export const backfillBook = ({
  seller,
  program,
  service,
  range,
  months,
}: BackfillReport): WorkbookContent => {
  const rows = months.map(monthRow);
  const states = months.flatMap(({ period, figures }, monthIndex): MonthStateRow[] =>
    (figures?.states ?? []).map((state) => ({ ...state, month: period.label, monthRow: monthIndex })),
  );
  const title = `Backfill ${range.label}: ${seller}`;
  return {
    properties: { title, creator: program, company: seller, created: startOfUtcDay(range.last) },
    sheets: [
      checksSheet(checksOf(rows, states), {
        lines: [
          ['Seller', seller],
          ['Months', range.label],
          ['Tax service', service],
          ['Made by', program],
        ],
      }),
      filled(BACKFILL_MONTHS, rows),
      filled(BACKFILL_STATES, states),
    ],
  };
};

const monthRow = ({ period, kind, lockedBy, figures, error }: BackfilledMonth): MonthRow => ({
  month: period.label,
  result: resultOf(kind, figures),
  checks: checksWord(figures),
  folder: lockedBy ?? period.label,
  orders: figures?.states.reduce((total, state) => total + state.orders, 0) ?? 0,
  refunds: figures?.states.reduce((total, state) => total + state.refunds, 0) ?? 0,
  open: figures?.open ?? 0,
  gross: figureOf(figures, 'gross'),
  taxable: figureOf(figures, 'taxable'),
  collected: figureOf(figures, 'collected'),
  expected: figureOf(figures, 'expected'),
  recorded: figureOf(figures, 'recorded'),
  remark: remarkOf(kind, period, lockedBy, error),
});

const checksWord = (figures: MonthFigures | undefined): MonthRow['checks'] => {
  if (!figures) return '';
  return figures.readiness.ready ? 'READY' : 'NOT READY';
};

const resultOf = (kind: string, figures: MonthFigures | undefined): string => {
  if (kind === 'stopped') return 'not complete';
  if (kind === 'locked') return 'locked';
  return figures?.readiness.ready ? 'closed' : 'something open';
};

const figureOf = (figures: MonthFigures | undefined, figure: Parameters<typeof totalOf>[1]): Money =>
  figures ? totalOf(figures, figure) : sum([]);

const remarkOf = (
  kind: string,
  period: FilingPeriod,
  lockedBy: string | undefined,
  error: unknown,
): string => {
  if (kind === 'stopped') return error instanceof TieoutError ? error.code : 'E_DEFECT';
  return lockedBy !== undefined && lockedBy !== period.label ? `in ${lockedBy}, which is locked` : '';
};

const checksOf = (rows: readonly MonthRow[], states: readonly MonthStateRow[]): readonly Check[] => [
  ...(['gross', 'collected', 'expected', 'recorded'] as const).map((figure, index): Check => {
    const title = { gross: 'Gross', collected: 'Collected', expected: 'Expected', recorded: 'Recorded' }[
      figure
    ];
    return {
      id: `B0${index + 1}`,
      test: `${title} of the months is that of their states.`,
      format: 'money',
      left: formula((at) => at.sum('Months', title), sum(rows.map((row) => row[figure]))),
      right: sum(states.map((row) => row[figure])),
      link: { sheet: 'Months' },
    };
  }),
  {
    id: 'B05',
    test: 'Every month of the range is complete.',
    format: 'count',
    left: formula(
      (at) => at.countIfs('Months', { Result: '"not complete"' }),
      rows.filter(({ result }) => result === 'not complete').length,
    ),
    right: 0,
    link: { sheet: 'Months' },
  },
  {
    id: 'B06',
    test: 'Every month is ready.',
    format: 'count',
    left: formula(
      (at) => at.countIfs('Months', { Readiness: '"NOT READY"' }),
      rows.filter(({ checks }) => checks === 'NOT READY').length,
    ),
    right: 0,
    link: { sheet: 'Months' },
  },
];

export type BackfillFigures = {
  readonly gross: Money;
  readonly taxable: Money;
  readonly collected: Money;
  readonly expected: Money;
  readonly recorded: Money;
};

export type MonthRow = BackfillFigures & {
  readonly month: string;
  readonly result: string;
  readonly checks: 'READY' | 'NOT READY' | '';
  /** The folder beside that of this workbook with the workbooks that its figures are of. */
  readonly folder: string;
  readonly orders: number;
  readonly refunds: number;
  readonly open: number;
  /** The reason why it stopped, or why it was skipped. */
  readonly remark: string;
};

type Figure = 'Gross' | 'Taxable' | 'Collected' | 'Expected' | 'Recorded';

const ofThisMonth = (at: References) => ({ Month: at.cell('Month') });

const figure = (title: Figure, value: (row: MonthRow) => Cell<'money'>): Column<MonthRow> => ({
  title,
  width: 15,
  format: 'money',
  value,
  formula: (at) => at.sumIfs('By_month_and_state', title, ofThisMonth(at)),
  total: 'sum',
});

const count = (title: 'Orders' | 'Refunds', value: (row: MonthRow) => number): Column<MonthRow> => ({
  title,
  width: 9,
  format: 'count',
  value,
  formula: (at) => at.sumIfs('By_month_and_state', title, ofThisMonth(at)),
  total: 'sum',
});

/** Links to the workbook of a month, of an amended month to that of its last version. */
const linkTo = (folder: string): Cell<'status'> =>
  formula(`HYPERLINK(${quoted(`../${folder}/variance.xlsx`)},${quoted('variance.xlsx')})`, 'variance.xlsx');

/** One row per month of the range: its outcome, its figures, and links to its workbooks. */
export const BACKFILL_MONTHS = defineSheet<MonthRow>({
  name: 'Months',
  table: 'Months',
  title: 'Months',
  note: 'Figures are sums of the sheet By month and state. A month that is not complete has none, whatever an earlier run left in its folder.',
  freeze: { columns: 1 },
  columns: [
    word('Month', 9, (row) => row.month),
    word('Result', 15, (row) => row.result, {
      flag: (row) => (row.result === 'closed' || row.result === 'locked' ? 'good' : 'attention'),
    }),
    word('Readiness', 10, (row) => row.checks, { flagWhen: { attention: (cell) => `${cell}="NOT READY"` } }),
    counted('Open', 8, (row) => row.open, { note: 'Open exceptions.' }),
    count('Orders', (row) => row.orders),
    count('Refunds', (row) => row.refunds),
    figure('Gross', (row) => row.gross),
    figure('Taxable', (row) => row.taxable),
    figure('Collected', (row) => row.collected),
    figure('Expected', (row) => row.expected),
    figure('Recorded', (row) => row.recorded),
    variance,
    word('Workbook', 15, ({ checks, folder }) => (checks === '' ? '' : linkTo(folder))),
    words('Remark', 40, (row) => row.remark, { wrap: true }),
  ],
});

export type MonthStateRow = StateTotals & {
  readonly month: string;
  /** Position of the month in the sheet Months. */
  readonly monthRow: number;
};

/** One row per month and state. */
export const BACKFILL_STATES = defineSheet<MonthStateRow>({
  name: 'By month and state',
  table: 'By_month_and_state',
  title: 'By month and state',
  note: 'As the sheet By state has them in the variance.xlsx that Months links to. Variance = collected minus expected.',
  freeze: { columns: 2 },
  columns: [
    word('Month', 9, (row) => row.month, { link: (row) => ({ sheet: 'Months', row: row.monthRow }) }),
    word('State', 8, (row) => row.state),
    counted('Orders', 9, (row) => row.orders),
    counted('Refunds', 9, (row) => row.refunds),
    summed('Gross', 15, (row) => row.gross),
    summed('Taxable', 15, (row) => row.taxable),
    summed('Collected', 15, (row) => row.collected),
    summed('Expected', 15, (row) => row.expected),
    summed('Recorded', 15, (row) => row.recorded),
    variance,
  ],
});
