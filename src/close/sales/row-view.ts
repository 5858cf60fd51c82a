import { DefectError } from '../../kernel/errors.ts';
import { type Price, parseExactPrice, price, ZERO_PRICE } from '../../kernel/price.ts';
import { normalColumn } from './detect-profile.ts';
import type { TableRow } from './files/table-row.ts';
import { moneyReader } from './normal/read-money.ts';
import type { AmountExpression, Condition, TextExpression } from './profile/expression.ts';
import type { MoneyForm } from './profile/locale.ts';

/** A cell does not hold what its column promises. It becomes the reason why the record is rejected. */
export type CellProblem = { readonly problem: string; readonly column: string; readonly value: string };

export const isProblem = <Value>(value: Value | CellProblem): value is CellProblem =>
  typeof value === 'object' && value !== null && 'problem' in value;

/** The columns that an amount is read from, for a message about it. */
export const columnsOf = (expression: AmountExpression): string => {
  if (typeof expression === 'string') return expression;
  if ('constant' in expression) return expression.constant;
  if ('once' in expression) return expression.once;
  if ('sumColumns' in expression) return expression.sumColumns;
  return partsOf(expression).map(columnsOf).join(', ');
};

type Composed = Exclude<
  AmountExpression,
  string | { readonly constant: string } | { readonly once: string } | { readonly sumColumns: string }
>;

const partsOf = (expression: Composed): readonly AmountExpression[] => {
  if ('orZero' in expression) return [expression.orZero];
  if ('sum' in expression) return expression.sum;
  if ('subtract' in expression) return expression.subtract;
  if ('negate' in expression) return [expression.negate];
  if ('first' in expression) return expression.first;
  if ('firstNonZero' in expression) return expression.firstNonZero;
  return [expression.sumRows];
};

/** The columns that a text is read from. */
export const columnsOfText = (expression: TextExpression): string => {
  if (typeof expression === 'string') return expression;
  return 'constant' in expression ? expression.constant : expression.first.map(columnsOfText).join(' or ');
};

/** Reads the cells of a row by column name. `rows` are all rows of the record, where an expression asks for them. */
export type RowReader = {
  readonly text: (row: TableRow, expression: TextExpression) => string;
  readonly amount: (
    row: TableRow,
    expression: AmountExpression,
    rows?: readonly TableRow[],
  ) => Price | CellProblem;
  readonly holds: (row: TableRow, condition: Condition, rows?: readonly TableRow[]) => boolean;
  readonly hasColumn: (column: string) => boolean;
};

export type RowForm = {
  readonly money?: MoneyForm;
  readonly nullTokens?: readonly string[];
  readonly headerAliases?: Readonly<Record<string, string>>;
};

/**
 * A reader of the rows under one header. Where columns stand is looked up once for each name, not for each row. Of
 * two columns with one name the first is meant: exports that repeat names put the ship-to block first.
 */
export const rowReader = (header: readonly string[], form: RowForm = {}): RowReader => {
  const cells = cellReader(header, form);
  const money = form.money === undefined ? parseExactPrice : moneyReader(form.money);
  const amount = amountReader(cells, money);
  const patterns = new Map<string, RegExp>();

  const text = (row: TableRow, expression: TextExpression): string => {
    if (typeof expression === 'string') return cells.text(row, expression);
    if ('constant' in expression) return expression.constant;
    for (const part of expression.first) {
      const found = text(row, part);
      if (found !== '') return found;
    }
    return '';
  };

  const holds = (row: TableRow, condition: Condition, rows?: readonly TableRow[]): boolean => {
    if ('sign' in condition) return hasSign(amount(row, condition.amount, rows), condition.sign);
    const value = cells.text(row, condition.column);
    if ('in' in condition) return condition.in.includes(value);
    if ('is' in condition) return (value !== '') === (condition.is === 'filled');
    let pattern = patterns.get(condition.matches);
    if (!pattern) {
      pattern = new RegExp(condition.matches, 'iu');
      patterns.set(condition.matches, pattern);
    }
    return pattern.test(value);
  };

  return { text, amount, holds, hasColumn: (column) => cells.indexOf(column) >= 0 };
};

const hasSign = (
  amount: Price | CellProblem,
  sign: 'positive' | 'negative' | 'zero' | 'not zero',
): boolean => {
  if (isProblem(amount)) return sign === 'zero' && amount.value === '';
  if (sign === 'positive') return amount > 0;
  if (sign === 'negative') return amount < 0;
  return (amount === 0) === (sign === 'zero');
};

type CellReader = {
  readonly indexOf: (column: string) => number;
  readonly text: (row: TableRow, column: string) => string;
  /** The places of numbered columns. */
  readonly numbered: (pattern: string) => readonly string[];
};

const cellReader = (
  header: readonly string[],
  { nullTokens = [], headerAliases = {} }: RowForm,
): CellReader => {
  const aliases = new Map(
    Object.entries(headerAliases).map(([from, to]) => [normalColumn(from), normalColumn(to)]),
  );
  const places = new Map<string, number>();
  header.forEach((cell, index) => {
    const name = normalColumn(cell);
    if (!places.has(name)) places.set(name, index);
    const alias = aliases.get(name);
    if (alias !== undefined && !places.has(alias)) places.set(alias, index);
  });
  const nothing = new Set(nullTokens);
  const known = new Map<string, number>();
  const families = new Map<string, readonly string[]>();

  const indexOf = (column: string): number => {
    let index = known.get(column);
    if (index === undefined) {
      index = places.get(normalColumn(column)) ?? -1;
      known.set(column, index);
    }
    return index;
  };
  const text = (row: TableRow, column: string): string => {
    const cell = row.cells[indexOf(column)];
    if (cell === undefined || cell === '') return '';
    const value = unguarded(cell.trim());
    return nothing.has(value) ? '' : value;
  };
  const numbered = (pattern: string): readonly string[] => {
    let columns = families.get(pattern);
    if (columns === undefined) {
      columns = numberedColumns([...places.keys()], normalColumn(pattern)).map(([, column]) => column);
      families.set(pattern, columns);
    }
    return columns;
  };
  return { indexOf, text, numbered };
};

/** The columns of a numbered family such as `Tax # Value`, by their number. */
export const numberedColumns = (
  columns: readonly string[],
  pattern: string,
): readonly (readonly [number, string])[] => {
  const [before = '', after = ''] = pattern.split('#');
  return columns
    .filter((column) => column.startsWith(before) && column.endsWith(after))
    .map((column) => [column.slice(before.length, column.length - after.length), column] as const)
    .filter(([number]) => /^\d{1,4}$/.test(number))
    .map(([number, column]) => [Number(number), column] as const)
    .sort(([left], [right]) => left - right);
};

type AmountReader = RowReader['amount'];

const amountReader = (cells: CellReader, money: (text: string) => Price | undefined): AmountReader => {
  const cellAmount = (row: TableRow, column: string, blank: Price | undefined): Price | CellProblem => {
    const value = cells.text(row, column);
    const found = value === '' ? blank : money(value);
    return found ?? { problem: value === '' ? 'is blank' : 'is not an amount', column, value };
  };

  /** `blank` is what a blank cell is worth; `undefined` where it is a problem. */
  const evaluate = (
    row: TableRow,
    expression: AmountExpression,
    rows: readonly TableRow[] | undefined,
    blank: Price | undefined,
  ): Price | CellProblem => {
    if (typeof expression === 'string') return cellAmount(row, expression, blank);
    if ('orZero' in expression) return evaluate(row, expression.orZero, rows, ZERO_PRICE);
    if ('sum' in expression) {
      let total: Price | CellProblem = ZERO_PRICE;
      for (const part of expression.sum) total = plus(total, evaluate(row, part, rows, blank), 1);
      return total;
    }
    if ('subtract' in expression) {
      const [whole, part] = expression.subtract;
      return plus(evaluate(row, whole, rows, blank), evaluate(row, part, rows, blank), -1);
    }
    if ('negate' in expression) return plus(ZERO_PRICE, evaluate(row, expression.negate, rows, blank), -1);
    if ('constant' in expression) return parseExactPrice(expression.constant) ?? ZERO_PRICE;
    if ('first' in expression) return firstOf(row, expression.first, rows, blank);
    if ('firstNonZero' in expression) return firstNonZero(row, expression.firstNonZero, rows);
    if ('sumColumns' in expression) {
      let total: Price | CellProblem = ZERO_PRICE;
      for (const column of cells.numbered(expression.sumColumns))
        total = plus(total, cellAmount(row, column, ZERO_PRICE), 1);
      return total;
    }
    if ('sumRows' in expression) {
      let total: Price | CellProblem = ZERO_PRICE;
      for (const each of rows ?? [row])
        total = plus(total, evaluate(each, expression.sumRows, undefined, blank), 1);
      return total;
    }
    if ('once' in expression) return onceOf(expression.once, rows ?? [row], blank);
    throw new DefectError('an amount expression has none of the known forms');
  };

  const firstOf = (
    row: TableRow,
    parts: readonly AmountExpression[],
    rows: readonly TableRow[] | undefined,
    blank: Price | undefined,
  ): Price | CellProblem => {
    let last: Price | CellProblem = ZERO_PRICE;
    for (const part of parts) {
      last = evaluate(row, part, rows, undefined);
      if (!isProblem(last) || last.value !== '') return last;
    }
    return blank ?? last;
  };

  const firstNonZero = (
    row: TableRow,
    parts: readonly AmountExpression[],
    rows: readonly TableRow[] | undefined,
  ): Price | CellProblem => {
    for (const part of parts) {
      const value = evaluate(row, part, rows, ZERO_PRICE);
      if (value !== ZERO_PRICE) return value;
    }
    return ZERO_PRICE;
  };

  const onceOf = (
    column: string,
    rows: readonly TableRow[],
    blank: Price | undefined,
  ): Price | CellProblem => {
    let found: Price | CellProblem | undefined;
    for (const row of rows) {
      const value = cellAmount(row, column, undefined);
      if (isProblem(value) && value.value !== '') return value;
      if (isProblem(value)) continue;
      if (found === undefined || found === ZERO_PRICE) found = value;
      else if (value !== ZERO_PRICE && value !== found)
        return {
          problem: 'differs from the amount on another row of the record',
          column,
          value: cells.text(row, column),
        };
    }
    return found ?? blank ?? { problem: 'is blank', column, value: '' };
  };

  return (row, expression, rows) => evaluate(row, expression, rows, undefined);
};

/** Reject files, and careful people, put an apostrophe before what a spreadsheet would take for a formula. */
const unguarded = (text: string): string =>
  text.charCodeAt(0) === 39 && /^'[=+\-@]/.test(text) ? text.slice(1) : text;

const plus = (left: Price | CellProblem, right: Price | CellProblem, sign: 1 | -1): Price | CellProblem => {
  if (typeof left !== 'number') return left;
  if (typeof right !== 'number') return right;
  const total = left + sign * right;
  if (Number.isSafeInteger(total)) return price(total);
  return { problem: 'makes an amount too large to be exact', column: '', value: String(total) };
};
