import { add, type Money, subtract } from '../../../kernel/money.ts';
import { VARIANCE_PARTS } from '../../reconcile/variance-part.ts';
import { quoted, type References } from '../../workbook/references.ts';
import { type Column, defineSheet } from '../../workbook/sheet.ts';

/** What is reported to one registered state. */
export type SummaryRow = {
  readonly state: string;
  readonly account: string;
  readonly gross: Money;
  readonly taxable: Money;
  readonly stateTax: Money;
  readonly localTax: Money;
  readonly collected: Money;
  /** Of collected minus expected: what local rates that the tax content lacks come to. */
  readonly gaps: Money;
};

const stateTax = (at: References): string =>
  at.sumIfs('Jurisdictions', 'Tax', { State: at.cell('State'), Level: quoted('state') });

const localTax = (at: References): string =>
  `ROUND(${at.sumIfs('Jurisdictions', 'Tax', { State: at.cell('State') })}-${at.cell('State tax')},2)`;

const money = (
  title: string,
  value: (row: SummaryRow) => Money,
  formula?: (at: References) => string,
  note?: string,
): Column<SummaryRow> => ({
  title,
  width: 16,
  format: 'money',
  value,
  total: 'sum',
  ...(formula && { formula }),
  ...(note !== undefined && { note }),
});

/** One row per registered state: from gross sales down to the tax. */
export const SUMMARY = defineSheet<SummaryRow>({
  name: 'Summary',
  table: 'Summary',
  title: 'Summary by registered state',
  note: 'Gross, taxable and collected are the figures of By state in variance.xlsx. State and local tax are added up from the sheet Jurisdictions.',
  freeze: { columns: 1 },
  columns: [
    { title: 'State', width: 8, format: 'status', value: ({ state }) => state },
    { title: 'Account', width: 18, format: 'id', value: ({ account }) => account },
    money('Gross sales', ({ gross }) => gross),
    money(
      'Exempt and non-taxable',
      ({ gross, taxable }) => subtract(gross, taxable),
      (at) => at.difference(at.cell('Gross sales'), at.cell('Taxable amount')),
      'Exempt goods, and shipping where it is not taxed.',
    ),
    money('Taxable amount', ({ taxable }) => taxable),
    money('State tax', (row) => row.stateTax, stateTax),
    money('Local tax', (row) => row.localTax, localTax),
    money(
      'Tax expected',
      (row) => add(row.stateTax, row.localTax),
      (at) => `ROUND(${at.cell('State tax')}+${at.cell('Local tax')},2)`,
    ),
    money('Tax collected', ({ collected }) => collected),
    money(
      'Over or (under) collected',
      (row) => subtract(row.collected, add(row.stateTax, row.localTax)),
      (at) => at.difference(at.cell('Tax collected'), at.cell('Tax expected')),
      'Tax charged in excess normally belongs to the state or the buyer.',
    ),
    money(
      VARIANCE_PARTS.gap,
      ({ gaps }) => gaps,
      undefined,
      'Of it: tax under local rates that the tax content lacks. It is no error of the seller.',
    ),
  ],
});
