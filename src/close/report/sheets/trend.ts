import { subtract } from '../../../kernel/money.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import type { PriorPeriodState } from '../../figures/prior-period-states.ts';
import { defineSheet } from '../../workbook/sheet.ts';

/** Periods that are shown beside each other: this one and twelve before it, of months the same of last year among them. */
const PERIODS_SHOWN = 13;

/** Returns the rows of the trend that are shown. Thresholds are measured by older periods, too. */
export const shownTrend = ({ trend }: PeriodReport): readonly PriorPeriodState[] => {
  const shown = new Set([...new Set(trend.map(({ period }) => period))].slice(-PERIODS_SHOWN));
  // A row can carry a balance alone.
  return trend.filter(({ period, orders, refunds }) => shown.has(period) && orders + refunds > 0);
};

/** Thirteen periods side by side: this one and the twelve before it, which include the same period of last year. */
export const TREND = defineSheet<PriorPeriodState>({
  name: 'Trend',
  table: 'Trend',
  title: 'Trend: this period and the twelve before it',
  note: 'Each period as it stood when it was last closed here. Periods that were never closed here are missing.',
  freeze: { columns: 2 },
  columns: [
    { title: 'Period', width: 18, format: 'id', value: ({ period }) => period },
    { title: 'State', width: 8, format: 'status', value: ({ state }) => state },
    { title: 'Orders', width: 9, format: 'count', value: ({ orders }) => orders, total: 'sum' },
    { title: 'Refunds', width: 9, format: 'count', value: ({ refunds }) => refunds, total: 'sum' },
    { title: 'Gross', width: 15, format: 'money', value: ({ gross }) => gross, total: 'sum' },
    { title: 'Collected', width: 15, format: 'money', value: ({ collected }) => collected, total: 'sum' },
    { title: 'Expected', width: 15, format: 'money', value: ({ expected }) => expected, total: 'sum' },
    {
      title: 'Variance',
      width: 15,
      format: 'money',
      value: ({ collected, expected }) => subtract(collected, expected),
      formula: (at) => at.difference(at.cell('Collected'), at.cell('Expected')),
      total: 'sum',
    },
  ],
});
