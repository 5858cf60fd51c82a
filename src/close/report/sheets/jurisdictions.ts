import { subtract } from '../../../kernel/money.ts';
import type { JurisdictionTotals } from '../../reconcile/period-totals.ts';
import { defineSheet } from '../../workbook/sheet.ts';
import { money, NOT_ZERO, rate, summed, word, words } from './columns.ts';

/** The variance of the period by the bodies that levy the tax, per rate. */
export const BY_JURISDICTION = defineSheet<JurisdictionTotals>({
  name: 'By jurisdiction',
  table: 'By_jurisdiction',
  title: 'By jurisdiction',
  note: 'The tax of each sale is split over its levels to the cent. What was collected is what the shop’s own tax lines say, line by line; a line that fits nothing expected has a row of its own, with the rate that the shop charged. Without such lines it goes to the levels as the proved calculation of the shop has it; where nothing is levied it stands under the state, which will ask for it. Added up from the sales of evidence/entries.ndjson.gz, which name the rows of Detail by channel, kind and id.',
  empty: 'No jurisdiction taxes a sale of the period.',
  freeze: { columns: 1 },
  columns: [
    word('State', 8, ({ state }) => state),
    word('Level', 10, ({ level }) => level),
    words('Jurisdiction', 34, ({ name }) => name),
    rate('Rate', 13, (row) => row.rate),
    money('Taxable', 15, ({ taxable }) => taxable, {
      note: 'Not added up: a sale is taxable at each of its levels.',
    }),
    summed('Expected', 14, ({ tax }) => tax),
    summed('Collected', 14, ({ collected }) => collected),
    summed('Variance', 14, ({ collected, tax }) => subtract(collected, tax), {
      formula: (at) => at.difference(at.cell('Collected'), at.cell('Expected')),
      flagWhen: NOT_ZERO,
    }),
  ],
});
