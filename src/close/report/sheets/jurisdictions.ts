import { subtract } from '../../../kernel/money.ts';
import type { JurisdictionTotals } from '../../reconcile/period-totals.ts';
import { defineSheet } from '../../workbook/sheet.ts';

/** The variance of the period by the bodies that levy the tax, per rate. */
export const BY_JURISDICTION = defineSheet<JurisdictionTotals>({
  name: 'By jurisdiction',
  table: 'By_jurisdiction',
  title: 'By jurisdiction',
  note: 'The tax of each sale is split over its levels to the cent. What was collected is what the shop’s own tax lines say, line by line; a line that fits nothing expected has a row of its own, with the rate that the shop charged. Without such lines it goes to the levels as the proved calculation of the shop has it; where nothing is levied it stands under the state, which will ask for it. Added up from the sales of evidence/entries.ndjson.gz, which name the rows of Detail by channel, kind and id.',
  empty: 'No jurisdiction taxes a sale of the period.',
  freeze: { columns: 1 },
  columns: [
    { title: 'State', width: 8, format: 'status', value: ({ state }) => state },
    { title: 'Level', width: 10, format: 'status', value: ({ level }) => level },
    { title: 'Jurisdiction', width: 34, format: 'text', value: ({ name }) => name },
    { title: 'Rate', width: 13, format: 'rate', value: ({ rate }) => rate },
    {
      title: 'Taxable',
      width: 15,
      format: 'money',
      value: ({ taxable }) => taxable,
      note: 'Not added up: a sale is taxable at each of its levels.',
    },
    { title: 'Expected', width: 14, format: 'money', value: ({ tax }) => tax, total: 'sum' },
    { title: 'Collected', width: 14, format: 'money', value: ({ collected }) => collected, total: 'sum' },
    {
      title: 'Variance',
      width: 14,
      format: 'money',
      value: ({ collected, tax }) => subtract(collected, tax),
      formula: (at) => at.difference(at.cell('Collected'), at.cell('Expected')),
      total: 'sum',
      flagWhen: { attention: (cell) => `${cell}<>0` },
    },
  ],
});
