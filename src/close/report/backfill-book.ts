import { startOfUtcDay } from '../../kernel/calendar.ts';
import { TieoutError } from '../../kernel/errors.ts';
import { type Money, sum } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { MonthFigures } from '../figures/month-figures.ts';
import { totalOf } from '../figures/period-report.ts';
import { formula } from '../workbook/cell.ts';
import { type Check, checksSheet } from '../workbook/checks-sheet.ts';
import { filled } from '../workbook/sheet.ts';
import type { WorkbookContent } from '../workbook/write-workbook.ts';
import { BACKFILL_MONTHS, type MonthRow } from './sheets/backfill-months.ts';
import { BACKFILL_STATES, type MonthStateRow } from './sheets/backfill-states.ts';

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
