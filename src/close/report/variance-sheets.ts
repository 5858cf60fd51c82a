import { type Money, subtract } from '../../kernel/money.ts';
import type { AboutSheet } from './book-index.ts';
import { type PeriodReport, totalOf } from './period-report.ts';

/** The sheets of variance.xlsx, and what each is for. */
export const VARIANCE_SHEETS: readonly AboutSheet[] = [
  { sheet: 'Decide', purpose: 'What to decide before the period is filed, and what was decided.' },
  { sheet: 'Checks', purpose: 'Two ways to each figure, side by side, and one cell: READY or NOT READY.' },
  { sheet: 'Readiness', purpose: 'What to decide or to do before the period is filed.' },
  {
    sheet: 'Bridge',
    purpose:
      'From gross sales to the tax expected, each cent between under its reason, and on to what is remitted.',
    control: 'Tax expected',
  },
  { sheet: 'Bridge steps', purpose: 'The variance reason by reason, step by step, as a chart.' },
  { sheet: 'By state', purpose: 'Sales and the three figures, state by state.', control: 'Variance' },
  {
    sheet: 'By jurisdiction',
    purpose: 'What each state, county, city and district levies and was collected for it.',
    control: 'Variance',
  },
  { sheet: 'By reason', purpose: 'The variance by the reason that proves it.', control: 'Net' },
  { sheet: 'Implied rates', purpose: 'Rates on which sales agree that the tax content does not have.' },
  { sheet: 'Causes', purpose: 'The exceptions by cause and place, one line each.' },
  { sheet: 'Exceptions', purpose: 'Everything a person should see, with what was decided.' },
  { sheet: 'Exceptions by code', purpose: 'How many there are of each kind, as a chart.' },
  {
    sheet: 'Completeness',
    purpose: 'Exported, posted and read back, day by day.',
    control: 'Tax recorded',
  },
  { sheet: 'Late items', purpose: 'What came after its period was locked.' },
  { sheet: 'Inputs', purpose: 'The files that were read, and what became of their rows.' },
  { sheet: 'Control totals', purpose: 'The sums of their columns, and what became of them.' },
  { sheet: 'Pull-back differences', purpose: 'What the service gave back differently from how it was sent.' },
  {
    sheet: 'Certificates',
    purpose: 'What the exempt sales rely on, and the tax it relieves.',
    control: 'Tax relieved',
  },
  { sheet: 'Refund links', purpose: 'Each refund with the order it belongs to.' },
  { sheet: 'Sampling', purpose: 'Rows drawn by chance for testing, and how to draw them again.' },
  { sheet: 'Trend', purpose: 'This period beside the twelve before it.', control: 'Variance' },
  { sheet: 'Trend by period', purpose: 'The periods of Trend, all states together, as a chart.' },
  { sheet: 'Detail', purpose: 'Every order and refund.', control: 'Variance' },
];

/** The control totals of what is not in memory while the book is written. */
export const streamedControls = (report: PeriodReport): Readonly<Record<string, Money>> => ({
  Detail: subtract(totalOf(report, 'collected'), totalOf(report, 'expected')),
});
