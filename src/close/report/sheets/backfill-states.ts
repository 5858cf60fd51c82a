import type { StateTotals } from '../../reconcile/period-totals.ts';
import { defineSheet } from '../../workbook/sheet.ts';
import { counted, summed, variance, word } from './columns.ts';

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
