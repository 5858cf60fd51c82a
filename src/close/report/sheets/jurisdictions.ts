import { subtract } from '../../../kernel/money.ts';
import type { JurisdictionTotals } from '../../reconcile/period-totals.ts';
import { defineSheet } from '../../workbook/sheet.ts';
import { money, NOT_ZERO, rate, summed, word, words } from './columns.ts';

/** The variance of the period by the bodies that levy the tax, per rate. */
export const BY_JURISDICTION = defineSheet<JurisdictionTotals>({
  name: 'By jurisdiction',
  table: 'By_jurisdiction',
  title: 'By jurisdiction',
  note: 'Collected goes by the tax lines of the shop, with a row of its own where one fits nothing expected; without lines by the proved calculation, or to the state where nothing is levied. Added up from evidence/entries.ndjson.gz.',
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
