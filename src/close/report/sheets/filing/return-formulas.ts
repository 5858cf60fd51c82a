import type { Expression } from '../../../filing/expression/expression.ts';
import { type Fragments, spreadsheetFormula } from '../../../filing/expression/spreadsheet-formula.ts';
import type { LineRole } from '../../../filing/law/return-form.ts';
import { computedTax } from '../../../filing/return/computed-tax.ts';
import type { RollForward } from '../../../filing/return/roll-forward.ts';
import {
  filedBefore,
  isUsedBeforeDiscount,
  lineWithRole,
  type PaidAccount,
  returnTitle,
  type TaxReturn,
} from '../../../filing/return/tax-return.ts';
import { returnKey, type StateFigures } from '../../../filing/state-figures.ts';
import { quoted, type References } from '../../../workbook/references.ts';
import { FILED_BEFORE, RETURNS_TABLE } from './to-by-state.ts';

const SHEET_NAME_MAX = 31;

const partOfName = (figures: StateFigures): string => returnKey(figures).replace(/[^A-Za-z0-9]+/g, '_');

/** Returns the name of the table of a return's lines. */
export const returnTable = ({ figures }: TaxReturn): string => `Return_${partOfName(figures)}`;

/** Returns the name of the table of one schedule of a return. */
export const scheduleTable = ({ figures }: TaxReturn, schedule: string): string =>
  `Schedule_${partOfName(figures)}_${schedule}`;

/** Returns the name of a return's sheet; for a place only the place, whose name may be long. */
export const returnSheetName = (filed: TaxReturn): string =>
  (filed.figures.kind === 'place' ? returnKey(filed.figures) : returnTitle(filed))
    .replace(/[^A-Za-z0-9 .-]/g, '')
    .slice(0, SHEET_NAME_MAX);

/** Returns the cell of a line by its role; `0` if the form has no such line. */
export const roleCell = (filed: TaxReturn, role: LineRole, at: References): string => {
  const line = lineWithRole(filed.form, role);
  if (line === '') return '0';
  return at.cellAt(
    returnTable(filed),
    'Amount',
    filed.form.lines.findIndex((each) => each.line === line),
  );
};

/** Returns the formula of the amount due, from the return's own lines. */
export const dueFormula = (filed: TaxReturn, at: References): string =>
  lineWithRole(filed.form, 'overpayment') === ''
    ? roleCell(filed, 'due', at)
    : at.difference(roleCell(filed, 'due', at), roleCell(filed, 'overpayment', at));

/** Formula of the amount to pay: of an amended return, the amount beyond the return before it. */
export const toPayFormula = (filed: TaxReturn, at: References): string => {
  const due = dueFormula(filed, at);
  return filedBefore(filed)
    ? `${due}+${at.sumIfs(RETURNS_TABLE, FILED_BEFORE, { State: quoted(returnKey(filed.figures)) })}`
    : due;
};

const BASES = {
  greater: (difference: string) => `MAX(0,${difference})`,
  expected: (difference: string) => `0*${difference}`,
  collected: (difference: string) => difference,
};

/** Formula of what the remittance basis of a return makes of tax collected less tax due. */
export const ruleFormula = ({ basis }: TaxReturn, difference: string): string => BASES[basis](difference);

/** Title of what later locked periods used of an account; the column is there if they used something. */
export const USED_LATER = 'Used later';

export const isUsedLater = (accounts: readonly RollForward[]): boolean =>
  accounts.some(({ usedLater }) => usedLater > 0);

/** Formula of what is available of these accounts. @param of Returns the reference to a column of Prepayments */
export const availableFormula = (of: (title: string) => string, accounts: readonly RollForward[]): string => {
  const later = isUsedLater(accounts) ? `-${of(USED_LATER)}` : '';
  return `MAX(0,ROUND(${of('Opening')}+${of('Added')}${later},2))`;
};

/**
 * Formula of what is used of an account. The discount depends on an account that is used before it, and the column Used
 * depends on discounts, so that a sum over it would be a circle: the formula works such an amount out itself.
 */
const usedFormula = (filed: TaxReturn, account: PaidAccount, at: References): string => {
  const own = { State: quoted(returnKey(filed.figures)), Kind: quoted(account) };
  if (!isUsedBeforeDiscount(filed.form, account)) return at.sumIfs('Prepayments', 'Used', own);
  const available = availableFormula((title) => at.sumIfs('Prepayments', title, own), [filed[account]]);
  const tax = roleCell(filed, 'tax', at);
  const owed = account === 'credits' ? `${tax}-${usedFormula(filed, 'prepayments', at)}` : tax;
  return `MIN(MAX(0,${owed}),${available})`;
};

/** Builds the references with which a line's formula is written in the workbook. */
const fragmentsOf = (filed: TaxReturn, at: References): Fragments => {
  const state = quoted(returnKey(filed.figures));
  const own = { State: state };
  const rate = (name: string): string => at.sumIfs('Rates', 'Rate', { ...own, 'Rate name': quoted(name) });
  return {
    figure: (name) => {
      if (name === 'discount') return at.sumIfs('Discounts', 'Claimed', own);
      if (name === 'prepayments' || name === 'credits') return usedFormula(filed, name, at);
      return at.sumIfs('Figures', 'Amount', { ...own, Figure: quoted(name) });
    },
    line: (line) =>
      at.cellAt(
        returnTable(filed),
        'Amount',
        filed.form.lines.findIndex((each) => each.line === line),
      ),
    rate,
    schedule: (schedule, column) =>
      at.sum(scheduleTable(filed, schedule), column === 'tax' ? 'Tax' : 'Taxable'),
    taxableAt: (name) =>
      at.sumIfs('Jurisdictions', 'Taxable amount', {
        Return: state,
        Level: quoted('state'),
        Rate: rate(name),
      }),
  };
};

export const expressionFormula =
  (filed: TaxReturn, expression: Expression, round: 'cents' | 'dollars') =>
  (at: References): string =>
    spreadsheetFormula(expression, round, fragmentsOf(filed, at));

/**
 * Formula of the tax that the form computes. It refers to the cells of single figures: a column of figures in which it
 * stands itself would be a circle.
 */
export const computedFormula = (filed: TaxReturn, figure: Fragments['figure'], at: References): string =>
  spreadsheetFormula(computedTax(filed.form), 'cents', { ...fragmentsOf(filed, at), figure });
