import { type Money, money, subtract } from '../../../kernel/money.ts';
import { type PeriodFigures, periodFigures } from '../../figures/period-figures.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import type { PriorPeriodState } from '../../figures/prior-period-states.ts';
import { COLOURS } from '../../pictures/look.ts';
import { trendDescription } from '../../pictures/trend-bars.ts';
import { type Column, defineSheet, type FilledSheet, filled } from '../../workbook/sheet.ts';

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

const summed = (title: string, value: (row: PeriodFigures) => Money): Column<PeriodFigures> => ({
  title,
  width: 16,
  format: 'money',
  value,
  formula: (at) => at.sumIfs('Trend', title, { Period: at.cell('Period') }),
});

/** Builds a column with the variance on one side of zero, so that each side has a colour of its own. */
const sided = (title: string, bound: 'MAX' | 'MIN', limit: typeof Math.max): Column<PeriodFigures> => ({
  title,
  width: 16,
  format: 'money',
  value: ({ variance }) => money(limit(0, variance)),
  formula: (at) => `${bound}(0,${at.cell('Variance')})`,
});

const COLUMNS: readonly Column<PeriodFigures>[] = [
  { title: 'Period', width: 18, format: 'id', value: ({ period }) => period },
  summed('Collected', ({ collected }) => collected),
  summed('Expected', ({ expected }) => expected),
  {
    title: 'Variance',
    width: 16,
    format: 'money',
    value: ({ variance }) => variance,
    formula: (at) => at.difference(at.cell('Collected'), at.cell('Expected')),
  },
  sided('Over', 'MAX', Math.max),
  sided('Under', 'MIN', Math.min),
];

/** Builds the periods of Trend summed over all states, as a table with a chart below; nothing for a single period. */
export const trendByPeriodSheet = (report: PeriodReport): readonly FilledSheet[] => {
  const rows = periodFigures(report);
  if (rows.length < 2) return [];
  const sheet = defineSheet<PeriodFigures>({
    name: 'Trend by period',
    table: 'Trend_by_period',
    title: 'Trend by period: collected minus expected, all states together',
    note: 'Sums of Trend: each period as it stood when it was last closed here. Over and Under draw the chart.',
    freeze: { columns: 1 },
    columns: COLUMNS,
    chart: {
      title: 'Collected minus expected, period by period',
      description: trendDescription('Collected minus expected', rows.length),
      direction: 'columns',
      isStacked: false,
      axisTitle: 'Collected minus expected',
      categories: 'Period',
      series: [
        { column: 'Over', colour: COLOURS.over, labels: COLOURS.ink },
        { column: 'Under', colour: COLOURS.under, labels: COLOURS.ink },
      ],
    },
  });
  return [filled(sheet, rows)];
};
