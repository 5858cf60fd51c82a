import { add, type Money, subtract } from '../../../../kernel/money.ts';
import { taxByRule } from '../../../filing/return/figures.ts';
import type { TaxReturn } from '../../../filing/return/tax-return.ts';
import { returnKey } from '../../../filing/state-figures.ts';
import { quoted, type References } from '../../../workbook/references.ts';
import { type Column, defineSheet } from '../../../workbook/sheet.ts';

/** An alternative for the tax to remit: one of the three rules, or the greater of both figures sale by sale. */
type Alternative = {
  readonly title: string;
  readonly note: string;
  readonly tax: (filed: TaxReturn) => Money;
  readonly formula: (at: References) => string;
};

const onBasis =
  (basis: TaxReturn['basis']) =>
  ({ figures, values }: TaxReturn): Money =>
    taxByRule(basis, values.computed, figures.collected);

const ALTERNATIVES: readonly Alternative[] = [
  {
    title: 'If expected',
    note: 'The tax that the form computes of what was due, whatever was charged.',
    tax: onBasis('expected'),
    formula: (at) => at.cell('Tax computed'),
  },
  {
    title: 'If collected',
    note: 'The tax that was charged, whatever was due.',
    tax: onBasis('collected'),
    formula: (at) => at.cell('Tax collected'),
  },
  {
    title: 'If greater',
    note: 'The higher of the two for the whole state: too much on one sale is set off against too little on another.',
    tax: onBasis('greater'),
    formula: (at) => `MAX(${at.cell('Tax computed')},${at.cell('Tax collected')})`,
  },
  {
    title: 'If greater, sale by sale',
    note: 'The tax computed and what was charged above it on each sale: nothing is set off. At least the tax collected.',
    tax: ({ figures, values }) =>
      taxByRule('greater', add(values.computed, figures.excessCollected), figures.collected),
    formula: (at) =>
      `MAX(ROUND(${at.cell('Tax computed')}+${at.cell('Charged too much')},2),${at.cell('Tax collected')})`,
  },
];

const NOW = 'By its rule';

const money = (
  title: string,
  value: (filed: TaxReturn) => Money,
  formula?: (at: References) => string,
  note?: string,
): Column<TaxReturn> => ({
  title,
  width: 15,
  format: 'money',
  value,
  total: 'sum',
  ...(formula && { formula }),
  ...(note !== undefined && { note }),
});

/** Returns the tax that a return carries by its rule, before a form in whole dollars rounds what was collected. */
export const taxOf = ({ values }: TaxReturn): Money => add(values.computed, values.adjustment);

const asFiled = (at: References): string => {
  const basis = at.cell('Remittance rule');
  const other = `IF(${basis}=${quoted('collected')},${at.cell('If collected')},${at.cell('If greater')})`;
  return `IF(${basis}=${quoted('expected')},${at.cell('If expected')},${other})`;
};

/** The same period under every remittance rule, side by side, with the difference each would make. */
export const WHAT_IF = defineSheet<TaxReturn>({
  name: 'Compare',
  table: 'What_if',
  title: 'Compare: the tax to pay over under each remittance rule',
  note: 'By its rule is the tax that the returns carry, by the remittance rule of each state: the form takes the tax that its own lines come to, the tax collected, or the greater of the two. The columns behind it show what another rule would come to for the same sales, and how much more or less that is. Tax collected under local rates that Tieout does not have is in both, and paid over as collected under every rule. Tax collected is not yet in whole dollars, where a form wants these. Use tax, fees, discounts, prepayments and credits are left out; with them it is the Amount due of the sheet Returns.',
  freeze: { columns: 2 },
  columns: [
    { title: 'State', width: 14, format: 'status', value: ({ figures }) => returnKey(figures) },
    {
      title: 'Remittance rule',
      width: 12,
      format: 'status',
      value: ({ basis }) => basis,
      note: 'By the configuration, or else by the rule of the state.',
    },
    money(
      'Tax computed',
      ({ values }) => values.computed,
      (at) => at.sumIfs('Figures', 'Amount', { State: at.cell('State'), Figure: quoted('computed') }),
      'What the lines of the form come to before the rule, and without own purchases.',
    ),
    money(
      'Tax collected',
      ({ figures }) => figures.collected,
      (at) => at.sumIfs('Returns', 'Collected', { State: at.cell('State') }),
    ),
    money(
      'Charged too much',
      ({ figures }) => figures.excessCollected,
      undefined,
      'By single sale: the positive variances of the rows of Detail in variance.xlsx that are not reversals, less the amounts of the negative ones of reversals (ids that end in -reversal), both without tax at rates that Tieout lacks.',
    ),
    money(NOW, taxOf, asFiled),
    ...ALTERNATIVES.flatMap(({ title, note, tax, formula }): Column<TaxReturn>[] => [
      money(title, tax, formula, note),
      money(
        `${title}: change`,
        (filed) => subtract(tax(filed), taxOf(filed)),
        (at) => at.difference(at.cell(title), at.cell(NOW)),
      ),
    ]),
  ],
});
