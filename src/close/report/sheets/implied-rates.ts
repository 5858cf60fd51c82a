import type { ImpliedRateTotals } from '../../reconcile/implied-rate-totals.ts';
import { defineSheet } from '../../workbook/sheet.ts';

/** Rates that neither a tax line nor the content states, but that sales consistently show. */
export const IMPLIED_RATES = defineSheet<ImpliedRateTotals>({
  name: 'Implied rates',
  table: 'Implied_rates',
  title: 'Implied rates: what the tax collected says of the rate that the shop applied',
  note: 'The sales of a place, or of several places of a state, agree on one rate of what the law taxes, at least eight different ones of them and three times those that chance would bring. Where the tax content is not complete and the rate is higher than its own, it is a gap of the content (R27); otherwise it is a rate of the seller (R02).',
  freeze: { columns: 2 },
  columns: [
    { title: 'State', width: 8, format: 'status', value: ({ state }) => state },
    { title: 'Place or state', width: 24, format: 'text', value: ({ where }) => where },
    {
      title: 'Rate',
      width: 10,
      format: 'rate',
      value: ({ rate }) => rate,
      note: 'Of all levels together.',
    },
    { title: 'Sales', width: 9, format: 'count', value: ({ sales }) => sales, total: 'sum' },
    { title: 'Places', width: 9, format: 'count', value: ({ places }) => places },
    { title: 'First day', width: 12, format: 'date', value: ({ first }) => first },
    { title: 'Last day', width: 12, format: 'date', value: ({ last }) => last },
    { title: 'Amount', width: 14, format: 'money', value: ({ amount }) => amount, total: 'sum' },
    {
      title: 'Chance expected',
      width: 16,
      format: 'text',
      value: ({ chance }) => (chance / 100).toFixed(2),
      note: 'Sales that would agree on such a rate by chance alone.',
    },
    { title: 'Verdict', width: 15, format: 'status', value: ({ verdict }) => verdict },
  ],
});
