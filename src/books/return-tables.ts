import { sourceNames } from '../filing/law-row.ts';
import { returnKey } from '../filing/state-figures.ts';
import { discountRounding, type TaxReturn } from '../filing/tax-return.ts';
import { formatMoney, formatRate, type Money, ZERO_RATE } from '../kernel/money.ts';
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

const WORKINGS: Readonly<Record<WorkedOut, (filed: TaxReturn, at: References) => string>> = {
  computed: computedFormula,
  adjustment: (filed, at) => {
    const collected = at.sumIfs('Returns', 'Collected', { State: quoted(returnKey(filed.figures)) });
    return ruleFormula(filed, `ROUND(${collected}-${workedOutCell(filed, 'computed', at)},2)`);
  },
  discount_base: (filed, at) =>
    filed.form.discountBase
      ? expressionFormula(filed, filed.form.discountBase.expression, 'cents')(at)
      : roleCell(filed, 'tax', at),
  discount: (filed, at) => discountFormula(filed, workedOutCell(filed, 'discount_base', at)),
};

/**
 * Formula of the discount claimed: the counted part of the base by the tiers of the rule, within its limits, rounded as
 * the form rounds it. A rule that is not verified is not claimed.
 */
const discountFormula = ({ discount: { rule, cap }, figures, form }: TaxReturn, base: string): string => {
  const isGiven = rule !== undefined && (rule.taxableMax === undefined || figures.taxable <= rule.taxableMax);
  if (!isGiven || rule.verified === false) return '0';
  const { of, in: whole } = rule.part;
  const counted = of === whole ? `MAX(0,${base})` : `MAX(0,${base})*${of}/${whole}`;
  const [first, above] = rule.tiers;
  const end = first?.upTo;
  const tiers = [
    `${end === undefined ? counted : `MIN(${counted},${formatMoney(end)})`}*${formatRate(first?.rate ?? ZERO_RATE)}`,
    ...(end === undefined || above === undefined
      ? []
      : [`MAX(0,${counted}-${formatMoney(end)})*${formatRate(above.rate)}`]),
  ];
  const computed = `ROUND(${tiers.join('+')},2)`;
  const raised = rule.least === undefined ? computed : `MAX(${computed},${formatMoney(rule.least)})`;
  const limits = [...(cap === undefined ? [] : [formatMoney(cap)]), `ROUND(${counted},2)`];
  return `ROUND(MIN(${[raised, ...limits].join(',')}),${discountRounding(form) === 'dollars' ? 0 : 2})`;
};

const figuresGrid = (filed: TaxReturn): Grid => ({
  heading: 'Remittance rule and discount',
  name: figuresTable(filed),
  hasHeader: true,
  columns: [
    { title: 'Figure' },
    { title: 'Meaning' },
    { title: 'Amount', align: 'right' },
    { title: 'How' },
    { title: '' },
  ],
  rows: workedOutOn(filed).map((name): GridRow => {
    const working = WORKINGS[name];
    return {
      cells: [
        text(name.replace('discount_', ''), { grey: true }),
        text(MEANINGS[name]),
        { format: 'money', value: formula((at) => working(filed, at), amountOfFigure(filed, name)) },
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
  switch (name) {
    case 'computed':
      return '';
    case 'adjustment':
      return basis;
    case 'discount_base':
      return '';
    case 'discount':
      return [why, rule?.cap?.note, rule?.note, sourceNames(rule?.sources ?? [])].filter(Boolean).join(' ');
  }
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
