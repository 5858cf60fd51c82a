import { ruleStep } from '../figures/remittance.ts';
import { roundingMax } from '../filing/return-notes.ts';
import { returnKey } from '../filing/state-figures.ts';
import {
  amountDue,
  amountOf,
  amountToPay,
  checkPasses,
  feesOf,
  filedBefore,
  isLocal,
  lateOf,
  type TaxReturn,
} from '../filing/tax-return.ts';
import { add, formatMoney, type Money, negate, subtract, sum, ZERO } from '../kernel/money.ts';
import { formula, quoted, type References } from '../workbook/cell.ts';
import {
  type GridCell,
  type GridColumn,
  type GridRow,
  type LaidOutSheet,
  laidOut,
  text,
} from '../workbook/sheet.ts';
import {
  allReturns,
  DEDUCTIONS_TABLE,
  deductionsGrid,
  FILED_BEFORE,
  RETURNS_TABLE,
  salesOnce,
} from './below-returns.ts';
import {
  discountCell,
  dueFormula,
  feesSum,
  isPaidBefore,
  levelsTable,
  returnSheetName,
  roleCell,
  ruleFormula,
} from './return-formulas.ts';

/** A column of amounts: its value, its live formula, and whether it is the result of the columns before it. */
type AmountColumn = {
  readonly title: string;
  value(filed: TaxReturn): Money;
  formula?(filed: TaxReturn, row: number, at: References): string;
  readonly isResult?: boolean;
  /** Set for sales: those of a local return are also on its state's return, and count once in the total. */
  readonly isOfSales?: true;
};

const own = (row: number, at: References, title: string): string => at.cellAt(RETURNS_TABLE, title, row);

/** Titles of the steps from the expected tax to the tax of the form. */
const TAX_STEPS = ['Expected', 'Missing rates', 'Remittance rule', 'Use tax'] as const;

/** Formula of the sum of those steps in a row. */
const steps = (row: number, at: References): string =>
  TAX_STEPS.map((title) => own(row, at, title)).join('+');

const AMOUNTS: readonly AmountColumn[] = [
  { title: 'Gross sales', value: ({ figures }) => figures.gross, isOfSales: true },
  {
    title: 'Deductions',
    value: ({ figures }) => subtract(figures.gross, figures.taxable),
    formula: ({ figures }, _, at) =>
      at.sumIfs(DEDUCTIONS_TABLE, 'Amount', { State: quoted(returnKey(figures)) }),
    isOfSales: true,
  },
  {
    title: 'Taxable',
    value: ({ figures }) => figures.taxable,
    formula: (_, row, at) => at.difference(own(row, at, 'Gross sales'), own(row, at, 'Deductions')),
    isOfSales: true,
  },
  {
    title: 'Expected',
    value: ({ figures }) => figures.expected,
    formula: (filed, _, at) =>
      filed.figures.kind === 'fee' ? '0' : `ROUND(${at.sum(levelsTable(filed), 'Tax')},2)`,
  },
  { title: 'Collected', value: ({ figures }) => figures.collected },
  { title: 'Missing rates', value: ({ values }) => values.missing_rates },
  {
    title: 'Remittance rule',
    value: ruleStep,
    formula: (filed, row, at) => {
      const due = `(${own(row, at, 'Expected')}+${own(row, at, 'Missing rates')})`;
      return ruleFormula(filed, at.difference(own(row, at, 'Collected'), due));
    },
  },
  { title: 'Use tax', value: ({ useTax }) => useTax },
  {
    title: 'Form rounding',
    value: ({ rounding }) => rounding,
    formula: (_, row, at) => at.difference(own(row, at, 'On the return'), `(${steps(row, at)})`),
  },
  { title: 'At most', value: roundingMax },
  {
    title: 'On the return',
    value: ({ lines }) => amountOf(lines, 'tax'),
    formula: (filed, _, at) => roleCell(filed, 'tax', at),
    isResult: true,
  },
  {
    title: 'Fees, penalty',
    value: ({ values }) => add(feesOf({ values }), lateOf(values)),
    formula: (filed, _, at) =>
      `${feesSum(filed, 'Due', at)}+${feesSum(filed, 'Above it', at)}+${formatMoney(lateOf(filed.values))}`,
  },
  {
    title: 'Discount',
    value: ({ discount }) => negate(discount.claimed),
    formula: (filed, _, at) => `-${discountCell(filed, at)}`,
  },
  {
    title: 'Prepaid, credits',
    value: ({ prepayments, credits }) => negate(sum([prepayments.used, credits.used])),
    formula: (filed, _, at) =>
      isPaidBefore(filed)
        ? `-${at.sumIfs('Prepayments', 'Used', { State: quoted(returnKey(filed.figures)) })}`
        : '0',
  },
  { title: 'Amount due', value: amountDue, formula: (filed, _, at) => dueFormula(filed, at), isResult: true },
];

/** Of amended returns: what was due with the returns before them, and what is left to pay. */
const AMENDED: readonly AmountColumn[] = [
  { title: FILED_BEFORE, value: (filed) => negate(filedBefore(filed)?.due ?? ZERO) },
  {
    title: 'To pay',
    value: amountToPay,
    formula: (_, row, at) => `${own(row, at, 'Amount due')}+${own(row, at, FILED_BEFORE)}`,
    isResult: true,
  },
];

const amountsOf = (returns: readonly TaxReturn[]): readonly AmountColumn[] =>
  returns.some(filedBefore) ? [...AMOUNTS, ...AMENDED] : AMOUNTS;

const columnsOf = (amounts: readonly AmountColumn[]): readonly GridColumn[] => [
  { title: 'State' },
  { title: 'Return' },
  ...amounts.map(({ title }) => ({ title, align: 'right' as const })),
  { title: 'Adds up' },
];

/** Builds the lead sheet: one row per return, from gross sales to the amount due. */
export const returnsSheet = (returns: readonly TaxReturn[]): LaidOutSheet => {
  const amounts = amountsOf(returns);
  const columns = columnsOf(amounts);
  return laidOut({
    name: 'Returns',
    title: 'Returns: from gross sales to the amount due',
    subtitle: 'US dollars; as in By state of variance.xlsx, without states that have no return',
    orientation: 'landscape',
    widths: [11, 21, ...amounts.map(() => 11), 7],
    cards: [],
    freeze: { columns: 2 },
    grids: [
      {
        name: RETURNS_TABLE,
        hasHeader: true,
        columns,
        rows: returns.map((filed, row) => returnRow(filed, row, amounts)),
        totals: [totalsOf(returns, amounts)],
      },
      deductionsGrid(returns),
    ],
    findings: [
      '✓: the row adds up. Missing rates: tax under local rates that Tieout lacks, remitted as collected. Form rounding (R22): at most half a cent a sale, and 0.7 of the form’s unit for each line and row of a schedule.',
    ],
  });
};

const returnRow = (filed: TaxReturn, row: number, amounts: readonly AmountColumn[]): GridRow => ({
  cells: [
    text(returnKey(filed.figures), { bold: true }),
    text(isLocal(filed) ? `${filed.form.form}, part of ${filed.figures.state}` : filed.form.form, {
      link: { sheet: returnSheetName(filed) },
    }),
    ...amounts.map((column): GridCell => {
      const value = column.value(filed);
      const live = column.formula;
      return {
        format: 'money',
        value: live ? formula((at) => live(filed, row, at), value) : value,
        ...(column.isResult && { bold: true }),
        ...(column.isOfSales && isLocal(filed) && { grey: true }),
      };
    }),
    checksCell(filed),
  ],
});

/** Builds the total of a column over the returns; sales count once. */
const totalOf = (returns: readonly TaxReturn[], { title, value, isOfSales }: AmountColumn): GridCell => {
  const counted = isOfSales ? returns.filter((filed) => !isLocal(filed)) : returns;
  return {
    format: 'money',
    value: formula(
      (at) => (isOfSales ? salesOnce(returns, title, at) : at.sum(RETURNS_TABLE, title)),
      sum(counted.map(value)),
    ),
  };
};

/** Whether the checks of a return hold; its notes say which does not. */
const checksCell = ({ checks }: TaxReturn): GridCell =>
  checks.every(checkPasses)
    ? { format: 'status', value: '✓', tone: 'good' }
    : { format: 'status', value: '▲ See notes', tone: 'attention' };

const totalsOf = (returns: readonly TaxReturn[], amounts: readonly AmountColumn[]): GridRow => ({
  kind: 'total',
  cells: [
    text(allReturns(returns)),
    undefined,
    ...amounts.map((column): GridCell | undefined =>
      column.title === 'At most' ? undefined : totalOf(returns, column),
    ),
    undefined,
  ],
});
