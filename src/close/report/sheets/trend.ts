import { subtract } from '../../../kernel/money.ts';
import { defineSheet } from '../../workbook/sheet.ts';
import type { KeptState } from '../kept-state.ts';

/** Thirteen periods side by side: this one, the twelve before it, and so the same one of last year. */
export const TREND = defineSheet<KeptState>({
  name: 'Trend',
  table: 'Trend',
  title: 'Trend: this period and the twelve before it',
  note: 'Each period as it stood when it was last closed here. Periods that were never closed here are missing.',
  freeze: { columns: 2 },
  columns: [
    { title: 'Period', width: 12, format: 'id', value: ({ period }) => period },
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
