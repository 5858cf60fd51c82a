import { exemptionWord } from '../certificates/certificate.ts';
import { rateOf } from '../filing/form-lines.ts';
import {
  type Expression,
  type FormulaPart,
  type Name,
  NO_PART,
  type RoundTo,
  spreadsheetPart,
} from '../filing/formula.ts';
import { figuresBehind, type LineRole, RULE_FIGURES } from '../filing/return-form.ts';
import { returnKey, type StateFigures } from '../filing/state-figures.ts';
import { lineNamed, lineWithRole, returnTitle, type TaxReturn } from '../filing/tax-return.ts';
import { formatMoney, formatRate, ZERO } from '../kernel/money.ts';
import { quoted, type References } from '../workbook/cell.ts';

export const RETURNS_TABLE = 'Returns';
export const DEDUCTIONS_TABLE = 'Deductions';
export const MARKETPLACE_REMITS = 'Marketplace remits';

/** Returns the words for sales to exempt buyers of a type. */
export const exemptReason = (type: string): string => `Exempt buyer: ${exemptionWord(type)}`;

const SHEET_NAME_MAX = 31;

const partOfName = (figures: StateFigures): string => returnKey(figures).replace(/[^A-Za-z0-9]+/g, '_');

/** Returns the name of a table of a return: of its lines, or below them of its figures, its jurisdictions, its fees. */
export const tableOf = (kind: 'Return' | 'Figures' | 'Levels' | 'Fees', { figures }: TaxReturn): string =>
  `${kind}_${partOfName(figures)}`;

/** Returns the name of the table of one schedule of a return. */
export const scheduleTable = ({ figures }: TaxReturn, schedule: string): string =>
  `Schedule_${partOfName(figures)}_${schedule}`;

/** The figures that a return works out below its lines; all others stand elsewhere in the book. */
const WORKED_OUT = ['computed', 'adjustment', 'discount_base', 'discount'] as const;
export type WorkedOut = (typeof WORKED_OUT)[number];

/** Returns the figures that a return works out: those that its lines depend on, and the discount where a rule gives one. */
export const workedOutOn = ({ discount, form }: TaxReturn): readonly WorkedOut[] => {
  const named = new Set(form.lines.flatMap(({ formula }) => [...figuresBehind(form, formula)]));
  const isOfRule = ['computed', ...RULE_FIGURES].some((name) => named.has(name));
  return WORKED_OUT.filter((name) => (name.startsWith('discount') ? discount.rule !== undefined : isOfRule));
};

/** Returns the cell of such a figure. */
export const workedOutCell = (filed: TaxReturn, name: WorkedOut, at: References): string =>
  at.cellAt(tableOf('Figures', filed), 'Amount', workedOutOn(filed).indexOf(name));

/** Formula of a figure that a line may name, by where it stands. */
const figureFormula = (filed: TaxReturn, name: string, at: References): string => {
  const { figures, form, values } = filed;
  const of = (other: string): string => figureFormula(filed, other, at);
  const own = { State: quoted(returnKey(figures)) };
  const deducted = (reason: string): string =>
    at.sumIfs(DEDUCTIONS_TABLE, 'Amount', { ...own, Reason: quoted(reason) });
  const exempt = figures.exempt.map(({ type }) => type);
  const exemptOf = (types: readonly string[]): string =>
    types.map((type) => deducted(exemptReason(type))).join('+') || '0';
  const ofState = (column: 'Taxable' | 'Tax'): string =>
    at.sumIfs(tableOf('Levels', filed), column, { Level: quoted('state') });
  const isExcluded = form.marketplace.treatment === 'exclude';
  switch (name) {
    case 'discount':
      return discountCell(filed, at);
    case 'prepayments':
    case 'credits':
      return isPaidBefore(filed) ? at.sumIfs('Prepayments', 'Used', { ...own, Kind: quoted(name) }) : '0';
    case 'gross':
    case 'taxable':
    case 'collected':
    case 'expected':
    case 'missing_rates':
      return name === 'missing_rates' && values.missing_rates === ZERO
        ? '0'
        : at.sumIfs('Returns', RETURNS_COLUMNS[name], own);
    case 'marketplace':
      return deducted(MARKETPLACE_REMITS);
    case 'exempt':
      return exemptOf(exempt);
    case 'resale':
      return exemptOf(exempt.filter((type) => type === 'wholesale'));
    case 'other_exempt':
      return exemptOf(exempt.filter((type) => type !== 'wholesale'));
    case 'sales':
      return isExcluded ? `(${of('gross')}-${of('marketplace')})` : of('gross');
    case 'deductions':
      return `(${of('sales')}-${of('taxable')})`;
    case 'non_taxable':
      return `(${[of('deductions'), `(${of('exempt')})`, ...(isExcluded ? [] : [of('marketplace')])].join('-')})`;
    case 'state_taxable':
      return ofState('Taxable');
    case 'state_tax':
      return ofState('Tax');
    case 'local_tax':
      return `(${at.sum(tableOf('Levels', filed), 'Tax')}-${ofState('Tax')})`;
    case 'fees':
      return feesSum(filed, 'Due', at);
    case 'excess_fees':
      return feesSum(filed, 'Above it', at);
    case 'computed':
    case 'adjustment':
      return workedOutCell(filed, name, at);
    case 'excess':
      return `MAX(0,${of('adjustment')})`;
    case 'shortfall':
      return `MAX(0,-${of('adjustment')})`;
    default:
      // What only the exports or the configuration state: shipping, refunds, own purchases.
      return formatMoney(values[name as keyof typeof values]);
  }
};

const RETURNS_COLUMNS = {
  gross: 'Gross sales',
  taxable: 'Taxable',
  collected: 'Collected',
  expected: 'Expected',
  missing_rates: 'Missing rates',
} as const;

/** Returns the sum of a column of the fees of a return. */
export const feesSum = (filed: TaxReturn, column: 'Due' | 'Above it', at: References): string =>
  filed.figures.fees.length === 0 ? '0' : at.sum(tableOf('Fees', filed), column);

/** Returns the cell of the discount claimed with a return; `0` where none is given. */
export const discountCell = (filed: TaxReturn, at: References): string =>
  filed.discount.rule ? workedOutCell(filed, 'discount', at) : '0';

/** Whether something was paid before that a return can use, or a later one has used. */
export const isPaidBefore = ({ prepayments, credits }: TaxReturn): boolean =>
  [prepayments, credits].some(
    ({ opening, added, usedLater }) => opening !== ZERO || added !== ZERO || usedLater > 0,
  );

/** Returns the name of a return's sheet; for a place only the place, whose name may be long. */
export const returnSheetName = (filed: TaxReturn): string =>
  (filed.figures.kind === 'place' ? returnKey(filed.figures) : returnTitle(filed))
    .replace(/[^A-Za-z0-9 .-]/g, '')
    .slice(0, SHEET_NAME_MAX);

/** Returns the cell of a line by its role; `0` if the form has no such line. */
export const roleCell = (filed: TaxReturn, role: LineRole, at: References): string => {
  const line = lineWithRole(filed.form, role);
  return line === '' ? '0' : lineCell(filed, line, at);
};

/** Returns the formula of the amount due, from the return's own lines. */
export const dueFormula = (filed: TaxReturn, at: References): string =>
  lineWithRole(filed.form, 'overpayment') === ''
    ? roleCell(filed, 'due', at)
    : at.difference(roleCell(filed, 'due', at), roleCell(filed, 'overpayment', at));

const BASES = {
  greater: (difference: string) => `MAX(0,${difference})`,
  expected: (difference: string) => `0*${difference}`,
  collected: (difference: string) => difference,
};

/** Formula of what the remittance basis of a return makes of tax collected less tax due. */
export const ruleFormula = ({ basis }: TaxReturn, difference: string): string => BASES[basis](difference);

/** Writes what the workbook has for a name in a line's formula. */
const cellOf = (filed: TaxReturn, { kind, name, column }: Name, at: References): string => {
  const { form, figures } = filed;
  switch (kind) {
    case 'figure':
      return figureFormula(filed, name, at);
    case 'line':
      return lineCell(filed, name, at);
    case 'schedule':
      return at.sum(scheduleTable(filed, name), column === 'tax' ? 'Tax' : 'Taxable');
    default: {
      const rate = formatRate(rateOf(form, name, figures.period.last));
      const where = { Level: quoted('state'), Rate: rate };
      return kind === 'rate' ? rate : at.sumIfs(tableOf('Levels', filed), 'Taxable', where);
    }
  }
};

/** Returns the cell of a line; `0` if nothing is known of it. */
const lineCell = (filed: TaxReturn, number: string, at: References): string => {
  const index = filed.form.lines.findIndex(({ line }) => line === number);
  return filed.form.lines[index]?.formula.expression.kind === 'nothing'
    ? '0'
    : at.cellAt(tableOf('Return', filed), 'Amount', index);
};

export const expressionFormula =
  (filed: TaxReturn, expression: Expression, round: RoundTo) =>
  (at: References): string =>
    spreadsheetPart(expression, round, (name) => ({ text: cellOf(filed, name, at) })).text;

/** Figures without which the tax is computed: those of the remittance rule, and the seller's own purchases. */
const LEFT_OUT: readonly string[] = [...RULE_FIGURES, 'purchases'];

/**
 * Formula of the tax that the form's lines come to before the remittance rule: every line that the tax depends on stands in it,
 * rounded as the form rounds it.
 */
export const computedFormula = (filed: TaxReturn, at: References): string => {
  const { form } = filed;
  const partOf = (name: Name): FormulaPart => {
    if (name.kind === 'line') return lineOf(name.name);
    const isLeftOut = name.kind === 'figure' && LEFT_OUT.includes(name.name);
    return isLeftOut ? NO_PART : { text: cellOf(filed, name, at) };
  };
  const lineOf = (number: string): FormulaPart => {
    const { formula, round = form.rounding } = lineNamed(form, number);
    if (formula.expression.kind === 'nothing') return NO_PART;
    return spreadsheetPart(formula.expression, round, partOf);
  };
  return lineOf(lineWithRole(form, 'tax')).text;
};
