import type { StateTotals } from '../../reconcile/period-totals.ts';
import { defineSheet } from '../../workbook/sheet.ts';
import { varianceColumn } from './variance-column.ts';

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
    {
      title: 'Month',
      width: 9,
      format: 'status',
      value: (row) => row.month,
      link: (row) => ({ sheet: 'Months', row: row.monthRow }),
    },
    { title: 'State', width: 8, format: 'status', value: (row) => row.state },
    { title: 'Orders', width: 9, format: 'count', value: (row) => row.orders, total: 'sum' },
    { title: 'Refunds', width: 9, format: 'count', value: (row) => row.refunds, total: 'sum' },
    { title: 'Gross', width: 15, format: 'money', value: (row) => row.gross, total: 'sum' },
    { title: 'Taxable', width: 15, format: 'money', value: (row) => row.taxable, total: 'sum' },
    { title: 'Collected', width: 15, format: 'money', value: (row) => row.collected, total: 'sum' },
    { title: 'Expected', width: 15, format: 'money', value: (row) => row.expected, total: 'sum' },
    { title: 'Recorded', width: 15, format: 'money', value: (row) => row.recorded, total: 'sum' },
    varianceColumn,
  ],
});
