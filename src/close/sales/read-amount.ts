import { type Price, parseExactPrice, price, ZERO_PRICE } from '../../kernel/money.ts';
import type { TableRow } from './files/table-row.ts';
import type { AmountExpression, Condition } from './profile/expression.ts';

/** A cell whose value does not fit its column: the reason why its record is rejected. */
export type CellProblem = { readonly problem: string; readonly column: string; readonly value: string };

export const isProblem = <Value>(value: Value | CellProblem): value is CellProblem =>
  typeof value === 'object' && value !== null && 'problem' in value;

export type TextOf = (row: TableRow) => string;
/** `rows` are all rows of the record, for expressions that need them. */
export type AmountOf = (row: TableRow, rows?: readonly TableRow[]) => Price | CellProblem;

/**
 * Return a compiler of amount expressions into functions of rows.
 *
 * @param cell returns a reader for the text of a column
 * @param money parses an amount
 * @param holds compiles a test into a function of a row
 */
export const amountCompiler = (
  cell: (column: string) => TextOf,
  money: (text: string) => Price | undefined,
  holds: (condition: Condition) => (row: TableRow) => boolean,
): ((expression: AmountExpression) => AmountOf) => {
  const cellAmount = (column: string, blank: Price | undefined): AmountOf => {
    const text = cell(column);
    return (row) => {
      const value = text(row);
      const found = value === '' ? blank : money(value);
      return found ?? { problem: value === '' ? 'is blank' : 'is not an amount', column, value };
    };
  };

  /** `blank` is the value of a blank cell; `undefined` if that is a problem. */
  const compiled = (expression: AmountExpression, blank: Price | undefined): AmountOf => {
    if (typeof expression === 'string') return cellAmount(expression, blank);
    if ('orZero' in expression) return compiled(expression.orZero, ZERO_PRICE);
    if ('sum' in expression) return sumOf(expression.sum.map((part) => compiled(part, blank)));
    if ('subtract' in expression) {
      const [whole, part] = [
        compiled(expression.subtract[0], blank),
        compiled(expression.subtract[1], blank),
      ];
      return (row, rows) => plus(whole(row, rows), part(row, rows), -1);
    }
    if ('negate' in expression) {
      const part = compiled(expression.negate, blank);
      return (row, rows) => plus(ZERO_PRICE, part(row, rows), -1);
    }
    if ('constant' in expression) {
      const value = parseExactPrice(expression.constant) ?? ZERO_PRICE;
      return () => value;
    }
    if ('first' in expression)
      return firstOf(
        expression.first.map((part) => compiled(part, undefined)),
        blank,
      );
    if ('firstNonZero' in expression)
      return firstNonZero(expression.firstNonZero.map((part) => compiled(part, ZERO_PRICE)));
    if ('sumRows' in expression)
      return overRows(compiled(expression.sumRows, blank), (expression.where ?? []).map(holds));
    return onceOf(expression.once, cellAmount(expression.once, undefined), cell(expression.once), blank);
  };
  return (expression) => compiled(expression, undefined);
};

const sumOf =
  (parts: readonly AmountOf[]): AmountOf =>
  (row, rows) => {
    let total: Price | CellProblem = ZERO_PRICE;
    for (const part of parts) total = plus(total, part(row, rows), 1);
    return total;
  };

const overRows =
  (part: AmountOf, tests: readonly ((row: TableRow) => boolean)[]): AmountOf =>
  (row, rows) => {
    let total: Price | CellProblem = ZERO_PRICE;
    for (const each of rows ?? [row])
      if (tests.every((test) => test(each))) total = plus(total, part(each), 1);
    return total;
  };

const firstOf =
  (parts: readonly AmountOf[], blank: Price | undefined): AmountOf =>
  (row, rows) => {
    let last: Price | CellProblem = ZERO_PRICE;
    for (const part of parts) {
      last = part(row, rows);
      if (!isProblem(last) || last.value !== '') return last;
    }
    return blank ?? last;
  };

const firstNonZero =
  (parts: readonly AmountOf[]): AmountOf =>
  (row, rows) => {
    for (const part of parts) {
      const value = part(row, rows);
      if (value !== ZERO_PRICE) return value;
    }
    return ZERO_PRICE;
  };

const onceOf =
  (column: string, amount: AmountOf, text: TextOf, blank: Price | undefined): AmountOf =>
  (first: TableRow, rows = [first]) => {
    let found: Price | undefined;
    for (const row of rows) {
      const value = amount(row);
      if (isProblem(value)) {
        if (value.value !== '') return value;
      } else if (found === undefined || found === ZERO_PRICE) found = value;
      else if (value !== ZERO_PRICE && value !== found)
        return { problem: 'differs from the amount on another row of the record', column, value: text(row) };
    }
    return found ?? blank ?? { problem: 'is blank', column, value: '' };
  };

const plus = (left: Price | CellProblem, right: Price | CellProblem, sign: 1 | -1): Price | CellProblem => {
  if (typeof left !== 'number') return left;
  if (typeof right !== 'number') return right;
  const total = left + sign * right;
  if (Number.isSafeInteger(total)) return price(total);
  return { problem: 'makes an amount too large to be exact', column: '', value: String(total) };
};

/** The columns of an amount expression, for messages, with the marks between them. */
export const columnsOf = (expression: AmountExpression): string => {
  if (typeof expression === 'string') return expression;
  if ('constant' in expression) return expression.constant;
  if ('once' in expression) return expression.once;
  const parts = partsOf(expression).map(columnsOf);
  if ('sum' in expression) return parts.join(' + ');
  if (!('subtract' in expression)) return parts.join(' or ');
  return parts.map((part, at) => (at > 0 && / [+-] /.test(part) ? `(${part})` : part)).join(' - ');
};

/** The columns of an amount, each by its name. */
export const namedColumns = (expression: AmountExpression): readonly string[] => {
  if (typeof expression === 'string') return [expression];
  if ('constant' in expression) return [];
  return 'once' in expression ? [expression.once] : partsOf(expression).flatMap(namedColumns);
};

/** Whether an amount is added up over the rows of its record, rather than stated for the record as a whole. */
export const addsUpRows = (expression: AmountExpression): boolean => {
  if (typeof expression === 'string' || 'constant' in expression || 'once' in expression) return false;
  return 'sumRows' in expression || partsOf(expression).some(addsUpRows);
};

type Composed = Exclude<AmountExpression, string | { readonly constant: string } | { readonly once: string }>;

/** The amounts that an expression is composed of: the first of its keys has them. */
const partsOf = (expression: Composed): readonly AmountExpression[] => [Object.values(expression)[0]].flat();
