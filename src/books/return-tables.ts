import { sourceNames } from '../filing/law-row.ts';
import { returnKey } from '../filing/state-figures.ts';
import type { TaxReturn } from '../filing/tax-return.ts';
import { formatMoney, type Money } from '../kernel/money.ts';
import { formula, quoted, type References } from '../workbook/cell.ts';
import { type Grid, type GridCell, type GridRow, text } from '../workbook/sheet.ts';
import {
  computedFormula,
  expressionFormula,
  feesTable,
  figuresTable,
  levelsTable,
  roleCell,
  ruleFormula,
  type WorkedOut,
  workedOutCell,
  workedOutOn,
} from './return-formulas.ts';

/** Builds the tables below the lines of a return that its formulas refer to. */
export const tablesBelow = (filed: TaxReturn): readonly Grid[] => [
  ...(workedOutOn(filed).length === 0 ? [] : [figuresGrid(filed)]),
  ...(filed.figures.kind === 'fee' ? [] : [levelsGrid(filed)]),
  ...(filed.figures.fees.length === 0 ? [] : [feesGrid(filed)]),
];

const WORKINGS: Readonly<Partial<Record<WorkedOut, (filed: TaxReturn, at: References) => string>>> = {
  computed: computedFormula,
  adjustment: (filed, at) => {
    const collected = at.sumIfs('Returns', 'Collected', { State: quoted(returnKey(filed.figures)) });
    return ruleFormula(filed, `ROUND(${collected}-${workedOutCell(filed, 'computed', at)},2)`);
  },
  discount_base: (filed, at) =>
    filed.form.discountBase
      ? expressionFormula(filed, filed.form.discountBase.expression, 'cents')(at)
      : roleCell(filed, 'tax', at),
};

const figuresGrid = (filed: TaxReturn): Grid => ({
  heading: 'Remittance rule and discount',
  name: figuresTable(filed),
  hasHeader: true,
  columns: [
    { title: '' },
    { title: 'Meaning' },
    { title: 'Amount', align: 'right' },
    { title: 'How' },
    { title: '' },
  ],
  rows: workedOutOn(filed).map((name): GridRow => {
    const working = WORKINGS[name];
    const amount = amountOfFigure(filed, name);
    return {
      cells: [
        undefined,
        text(MEANINGS[name]),
        { format: 'money', value: working ? formula((at) => working(filed, at), amount) : amount },
        text(howOf(filed, name), { grey: true }),
      ],
    };
  }),
});

const MEANINGS: Readonly<Record<WorkedOut, string>> = {
  computed: 'Tax by the lines of the form',
  adjustment: 'Added by the remittance rule',
  discount_base: 'Base of the discount',
  discount: 'Discount for filing on time',
};

const amountOfFigure = ({ values, discount }: TaxReturn, name: WorkedOut): Money => {
  if (name === 'discount') return discount.claimed;
  return name === 'discount_base' ? discount.base : values[name];
};

const howOf = ({ discount: { rule, why }, basis }: TaxReturn, name: WorkedOut): string => {
  if (name === 'adjustment') return basis;
  return name === 'discount'
    ? [why, rule?.cap?.note, rule?.note, sourceNames(rule?.sources ?? [])].filter(Boolean).join(' ')
    : '';
};

/** The tax that each body levies, per rate, whose tax this return takes. */
const levelsGrid = (filed: TaxReturn): Grid => ({
  heading: 'Jurisdictions of this return',
  name: levelsTable(filed),
  hasHeader: true,
  columns: [
    { title: 'Level' },
    { title: 'Jurisdiction' },
    { title: 'Taxable', align: 'right' },
    { title: 'Rate' },
    { title: 'Tax', align: 'right' },
  ],
  rows: filed.figures.jurisdictions.map(
    ({ level, name, rate, taxable, tax }): GridRow => ({
      cells: [
        text(level),
        text(name),
        { format: 'money', value: taxable },
        { format: 'rate', value: rate },
        { format: 'money', value: tax },
      ],
    }),
  ),
});

const feesGrid = (filed: TaxReturn): Grid => ({
  heading: 'Fees on deliveries, beside the tax',
  name: feesTable(filed),
  hasHeader: true,
  columns: [
    { title: 'Orders' },
    { title: 'Fee' },
    { title: 'Due', align: 'right' },
    { title: 'Charged, and what it rests on' },
    { title: 'Above it', align: 'right' },
  ],
  rows: filed.figures.fees.map(({ rule, sales, due, charged, excess, notCharged }): GridRow => {
    const missing = notCharged.length === 0 ? '' : ` Not charged on ${notCharged.join(', ')}.`;
    const each = rule.amount === undefined ? 'no source shows the amount' : formatMoney(rule.amount);
    const amount: GridCell = { format: 'money', value: due };
    return {
      cells: [
        { format: 'count', value: sales },
        text(`${rule.name}, ${each} since ${rule.from}`),
        amount,
        text(`${formatMoney(charged)} was charged.${missing} ${rule.limits} ${sourceNames(rule.sources)}`, {
          grey: true,
        }),
        { format: 'money', value: excess },
      ],
    };
  }),
});
