import { type Money, subtract, sum } from '../../../../kernel/money.ts';
import { adjustmentOf } from '../../../filing/return/figures.ts';
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
    sum([figures.expected, values.missing_rates, adjustmentOf(figures, values.missing_rates, basis)]);

/** Formula of the expected tax plus the tax collected under rates that Tieout does not have. */
const known = (at: References): string => {
  const gaps = at.sumIfs('Figures', 'Amount', { State: at.cell('State'), Figure: quoted('missing_rates') });
  return `ROUND(${at.cell('Tax expected')}+${gaps},2)`;
};

const ALTERNATIVES: readonly Alternative[] = [
  {
    title: 'If expected',
    note: 'The tax that was due, whatever was charged.',
    tax: onBasis('expected'),
    formula: known,
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
    formula: (at) => `MAX(${known(at)},${at.cell('Tax collected')})`,
  },
  {
    title: 'If greater, sale by sale',
    note: 'The higher of the two for each sale: nothing is set off.',
    tax: ({ figures, values }) => sum([figures.expected, values.missing_rates, figures.excessCollected]),
    formula: (at) => `ROUND(${known(at)}+${at.cell('Charged too much')},2)`,
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

const ofReturn =
  (title: string) =>
  (at: References): string =>
    at.sumIfs('Returns', title, { State: at.cell('State') });

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
  note: 'By its rule is the tax that the returns carry, by the remittance rule of each state. The columns behind it show what another rule would come to for the same sales, and how much more or less that is. Tax collected under local rates that Tieout does not have is paid over as collected under every rule. Form rounding, fees, discounts, prepayments and credits are left out; with them it is the Amount due of the sheet Returns.',
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
    money('Tax expected', ({ figures }) => figures.expected, ofReturn('Expected')),
    money('Tax collected', ({ figures }) => figures.collected, ofReturn('Collected')),
    money(
      'Charged too much',
      ({ figures }) => figures.excessCollected,
      undefined,
      'On single sales, without those that were charged too little: the positive variances in Detail of variance.xlsx.',
    ),
    money(NOW, ({ remittance }) => remittance, asFiled),
    ...ALTERNATIVES.flatMap(({ title, note, tax, formula }): Column<TaxReturn>[] => [
      money(title, tax, formula, note),
      money(
        `${title}: change`,
        (filed) => subtract(tax(filed), filed.remittance),
        (at) => at.difference(at.cell(title), at.cell(NOW)),
      ),
    ]),
  ],
});
