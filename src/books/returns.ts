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
import { defineSheet, filled } from '../workbook/sheet.ts';
import { count, money, word, words, yesNo } from './parts.ts';
import {
  DEDUCTIONS_TABLE,
  discountCell,
  dueFormula,
  exemptReason,
  feesSum,
  isPaidBefore,
  MARKETPLACE_REMITS,
  RETURNS_TABLE,
  roleCell,
  ruleFormula,
  tableOf,
} from './return-formulas.ts';

/** A column of amounts: its value, and its live formula. */
type AmountColumn = {
  readonly title: string;
  value(filed: TaxReturn): Money;
  formula?(filed: TaxReturn, at: References): string;
  /** Set for sales, which are on the return of a place and on that of its state, and so are not added up. */
  readonly isOfSales?: true;
};

/** Titles of the steps from the expected tax to the tax of the form. */
const TAX_STEPS = ['Expected', 'Missing rates', 'Remittance rule', 'Use tax'] as const;

const AMOUNTS: readonly AmountColumn[] = [
  { title: 'Gross sales', value: ({ figures }) => figures.gross, isOfSales: true },
  {
    title: 'Deductions',
    value: ({ figures }) => subtract(figures.gross, figures.taxable),
    formula: (_, at) => at.sumIfs(DEDUCTIONS_TABLE, 'Amount', { State: at.cell('State') }),
    isOfSales: true,
  },
  {
    title: 'Taxable',
    value: ({ figures }) => figures.taxable,
    formula: (_, at) => at.difference(at.cell('Gross sales'), at.cell('Deductions')),
    isOfSales: true,
  },
  {
    title: 'Expected',
    value: ({ figures }) => figures.expected,
    formula: (filed, at) =>
      filed.figures.kind === 'fee' ? '0' : `ROUND(${at.sum(tableOf('Levels', filed), 'Tax')},2)`,
  },
  { title: 'Collected', value: ({ figures }) => figures.collected },
  { title: 'Missing rates', value: ({ values }) => values.missing_rates },
  {
    title: 'Remittance rule',
    value: ruleStep,
    formula: (filed, at) => {
      const due = `(${at.cell('Expected')}+${at.cell('Missing rates')})`;
      return ruleFormula(filed, at.difference(at.cell('Collected'), due));
    },
  },
  { title: 'Use tax', value: ({ useTax }) => useTax },
  {
    title: 'Form rounding',
    value: ({ rounding }) => rounding,
    formula: (_, at) =>
      at.difference(at.cell('On the return'), `(${TAX_STEPS.map((title) => at.cell(title)).join('+')})`),
  },
  { title: 'At most', value: roundingMax },
  {
    title: 'On the return',
    value: ({ lines }) => amountOf(lines, 'tax'),
    formula: (filed, at) => roleCell(filed, 'tax', at),
  },
  {
    title: 'Fees, penalty',
    value: ({ values }) => add(feesOf({ values }), lateOf(values)),
    formula: (filed, at) =>
      `${feesSum(filed, 'Due', at)}+${feesSum(filed, 'Above it', at)}+${formatMoney(lateOf(filed.values))}`,
  },
  {
    title: 'Discount',
    value: ({ discount }) => negate(discount.claimed),
    formula: (filed, at) => `-${discountCell(filed, at)}`,
  },
  {
    title: 'Prepaid, credits',
    value: ({ prepayments, credits }) => negate(sum([prepayments.used, credits.used])),
    formula: (filed, at) =>
      isPaidBefore(filed)
        ? `-${at.sumIfs('Prepayments', 'Used', { State: quoted(returnKey(filed.figures)) })}`
        : '0',
  },
  { title: 'Amount due', value: amountDue, formula: dueFormula },
];

/** The column of an amended version with what was due with the returns before, as a negative amount. */
const FILED_BEFORE = 'Filed before';

/** Of amended returns: what was due with the returns before them, and what is left to pay. */
const AMENDED: readonly AmountColumn[] = [
  { title: FILED_BEFORE, value: (filed) => negate(filedBefore(filed)?.due ?? ZERO) },
  {
    title: 'To pay',
    value: amountToPay,
    formula: (_, at) => `${at.cell('Amount due')}+${at.cell(FILED_BEFORE)}`,
  },
];

/** Builds the lead sheet: one row per return, from gross sales to the amount due, and why sales are not taxed. */
export const returnsSheet = (returns: readonly TaxReturn[]) => {
  const amounts = returns.some(filedBefore) ? [...AMOUNTS, ...AMENDED] : AMOUNTS;
  const hasLocal = returns.some(isLocal);
  const sheet = defineSheet<TaxReturn>({
    name: 'Returns',
    table: RETURNS_TABLE,
    title: 'Returns: from gross sales to the amount due',
    note: `As in By state of variance.xlsx, without states that have no return.${hasLocal ? ' Sales of a place are on the return of its state, too, and are not added up.' : ''} Adds up: yes, or see the notes of the return. Missing rates: tax under local rates that Tieout lacks, remitted as collected. Form rounding (R22): at most half a cent a sale, and 0.7 of the form’s unit for each line and row of a schedule.`,
    empty: 'The period has no returns.',
    freeze: { columns: 2 },
    columns: [
      word('State', 11, ({ figures }) => returnKey(figures)),
      words('Return', 21, (filed) =>
        isLocal(filed) ? `${filed.form.form}, part of ${filed.figures.state}` : filed.form.form,
      ),
      ...amounts.map((amount) => columnOf(amount, hasLocal)),
      word('Adds up', 11, ({ checks }) => (checks.every(checkPasses) ? 'yes' : 'see notes'), {
        flag: ({ checks }) => (checks.every(checkPasses) ? 'good' : 'attention'),
      }),
    ],
  });
  return [filled(sheet, returns), filled(DEDUCTIONS, deductionRows(returns))] as const;
};

const columnOf = ({ title, value, formula: live, isOfSales }: AmountColumn, hasLocal: boolean) =>
  money<TaxReturn>(
    title,
    11,
    (filed) => (live ? formula((at) => live(filed, at), value(filed)) : value(filed)),
    title === 'At most' || (isOfSales && hasLocal) ? {} : { total: 'sum' },
  );

/** Sums a column of sales over the returns; those of places are left out, because their states' returns include them. */
export const salesOnce = (returns: readonly TaxReturn[], title: string, at: References): string =>
  [
    at.sum(RETURNS_TABLE, title),
    ...returns.flatMap((filed, row) => (isLocal(filed) ? [at.cellAt(RETURNS_TABLE, title, row)] : [])),
  ].join('-');

type DeductionRow = {
  readonly state: string;
  readonly reason: string;
  readonly amount: Money;
  /** Only of exempt buyers: another sale can have both taxed and untaxed lines. */
  readonly sales?: number;
  readonly isReported: boolean;
};

/** The deductions of each return by reason. */
const DEDUCTIONS = defineSheet<DeductionRow>({
  name: 'Deductions',
  table: DEDUCTIONS_TABLE,
  title: 'Deductions by reason',
  columns: [
    word('State', 11, ({ state }) => state),
    words('Reason', 21, ({ reason }) => reason),
    money('Amount', 11, ({ amount }) => amount),
    count('Sales', 11, ({ sales }) => sales),
    yesNo('On the return', 11, ({ isReported }) => isReported),
  ],
});

/** Lists why sales are not taxed, by return: the reasons account for all of gross sales less the taxable amount. */
const deductionRows = (returns: readonly TaxReturn[]): readonly DeductionRow[] =>
  returns.flatMap(({ figures, form }): readonly DeductionRow[] => {
    const { gross, taxable, beforeDuty, marketplace } = figures;
    const exempt = figures.exempt.map(({ type, amount, sales }) => ({
      reason: exemptReason(type),
      amount,
      sales,
    }));
    const known = sum([...exempt.map(({ amount }) => amount), beforeDuty, marketplace]);
    return [
      ...exempt,
      { reason: MARKETPLACE_REMITS, amount: marketplace },
      { reason: 'Before registration', amount: beforeDuty },
      { reason: 'Not taxable', amount: subtract(subtract(gross, taxable), known) },
    ]
      .filter(({ amount }) => amount !== ZERO)
      .map((row) => ({
        ...row,
        state: returnKey(figures),
        isReported: row.reason !== MARKETPLACE_REMITS || form.marketplace.treatment !== 'exclude',
      }));
  });
