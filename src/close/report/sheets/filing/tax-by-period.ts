import { type PeriodFigures, periodFigures } from '../../../figures/period-figures.ts';
import type { PeriodReport } from '../../../figures/period-report.ts';
import { JOURNAL_LINES } from '../../../filing/journal/journal-lines.ts';
import type { JournalEntry } from '../../../filing/journal/journal-of.ts';
import { COLOURS } from '../../../pictures/look.ts';
import { trendDescription } from '../../../pictures/trend-bars.ts';
import { defineSheet, type FilledSheet, filled } from '../../../workbook/sheet.ts';

/** Builds the tax of this period and the periods before it, as a table with a chart below. */
export const taxByPeriodSheet = (report: PeriodReport): readonly FilledSheet[] => {
  const rows = periodFigures(report);
  if (rows.length < 2) return [];
  const sheet = defineSheet<PeriodFigures>({
    name: 'Tax by period',
    table: 'Tax_by_period',
    title: 'Tax by period: all states together',
    note: 'Each period as it stood when it was last closed here; Trend in variance.xlsx has them by state.',
    freeze: { columns: 1 },
    columns: [
      { title: 'Period', width: 18, format: 'id', value: ({ period }) => period },
      { title: 'Tax collected', width: 16, format: 'money', value: ({ collected }) => collected },
      { title: 'Tax expected', width: 16, format: 'money', value: ({ expected }) => expected },
    ],
    chart: {
      title: 'Tax expected, period by period',
      description: trendDescription('Tax expected', rows.length),
      direction: 'columns',
      isStacked: false,
      axisTitle: 'Tax expected',
      categories: 'Period',
      series: [{ column: 'Tax expected', colour: COLOURS.total, labels: COLOURS.ink }],
    },
  });
  return [filled(sheet, rows)];
};

/** The journal entries of the returns, for the seller's ledger. */
export const JOURNAL = defineSheet<JournalEntry & { readonly state: string }>({
  name: 'Journal',
  table: 'Journal',
  title: 'Journal of the returns',
  note: 'For each return that is filed now: the tax charged leaves Sales tax payable, and what is paid becomes due to the tax authority. What stays in Sales tax payable is listed below. If a return with a discount is filed late, leave out the line Timely-filing discount income and credit its amount to Due to tax authority; if a balance of prepayments or credits pays it, to Prepaid sales tax or Sales tax credits.',
  columns: [
    { title: 'State', width: 8, format: 'status', value: ({ state }) => state },
    { title: 'Account', width: 40, format: 'text', value: ({ line }) => JOURNAL_LINES[line].account },
    { title: 'Debit', width: 15, format: 'money', value: ({ debit }) => debit, total: 'sum' },
    { title: 'Credit', width: 15, format: 'money', value: ({ credit }) => credit, total: 'sum' },
    { title: 'What for', width: 62, format: 'text', value: ({ memo }) => memo },
  ],
});
