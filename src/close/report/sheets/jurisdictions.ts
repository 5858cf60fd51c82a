import { subtract } from '../../../kernel/money.ts';
import type { JurisdictionTotals } from '../../reconcile/period-totals.ts';
import { defineSheet } from '../../workbook/sheet.ts';

/** A jurisdiction with the return that includes its tax. */
export type JurisdictionOfReturn = JurisdictionTotals & { readonly filedWith: string };

/** What stands in place of a return where the state has none. */
export const NO_RETURN = 'none';

/** The tax that each body levies, per rate, and the tax collected for it: the schedule that supports the returns. */
export const JURISDICTIONS = defineSheet<JurisdictionOfReturn>({
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
    {
      title: 'Return',
      width: 14,
      format: 'text',
      value: ({ filedWith }) => filedWith,
      note: 'The return that takes this tax: that of the state, or of a place that collects its own; `none` where the state has no return in this period.',
    },
  ],
});

/** The variance of the period by the bodies that levy the tax, per rate. */
export const BY_JURISDICTION = defineSheet<JurisdictionTotals>({
  name: 'By jurisdiction',
  table: 'By_jurisdiction',
  title: 'By jurisdiction',
  note: 'The tax of each sale is split over its levels to the cent. What was collected is what the shop’s own tax lines say, line by line; a line that fits nothing expected has a row of its own, with the rate that the shop charged. Without such lines it goes to the levels as the proved calculation of the shop has it; where nothing is levied it stands under the state, which will ask for it. Added up from the sales of evidence/sales.ndjson.gz, which name the rows of Detail by channel, kind and id.',
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
