import { subtract } from '../../../kernel/money.ts';
import type { JurisdictionTotals } from '../../reconcile/period-totals.ts';
import { defineSheet } from '../../workbook/sheet.ts';

/** What each body levies, per rate, and what was collected for it: the schedule behind the returns. */
export const JURISDICTIONS = defineSheet<JurisdictionTotals>({
  name: 'Jurisdictions',
  table: 'Jurisdictions',
  title: 'Jurisdictions',
  note: 'Tax of each sale split over its levels to the cent, so that the levels add up to the tax expected. Collected tax goes to the levels as the shop’s own tax lines have it, or else its proved calculation. Special districts go by the place they lie in. Added up from the sales of evidence/sales.ndjson.gz.',
  freeze: { columns: 1 },
  columns: [
    { title: 'State', width: 8, format: 'status', value: ({ state }) => state },
    { title: 'Level', width: 10, format: 'status', value: ({ level }) => level },
    { title: 'Jurisdiction', width: 34, format: 'text', value: ({ name }) => name },
    { title: 'Rate', width: 13, format: 'rate', value: ({ rate }) => rate },
    { title: 'Taxable amount', width: 16, format: 'money', value: ({ taxable }) => taxable },
    { title: 'Tax', width: 14, format: 'money', value: ({ tax }) => tax, total: 'sum' },
    {
      title: 'Collected',
      width: 14,
      format: 'money',
      value: ({ collected }) => collected,
      total: 'sum',
      note: 'Where nothing is levied it stands under the state, which will ask for it.',
    },
    {
      title: 'Over or (under)',
      width: 14,
      format: 'money',
      value: ({ collected, tax }) => subtract(collected, tax),
      formula: (at) => at.difference(at.cell('Collected'), at.cell('Tax')),
      total: 'sum',
    },
  ],
});
