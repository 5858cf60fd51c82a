import { DefectError } from '../../kernel/errors.ts';
import { type Price, parseExactPrice, price, ZERO_PRICE } from '../../kernel/price.ts';
import { type CellProblem, isProblem } from './cell-problem.ts';
import type { CellReader } from './cell-reader.ts';
import type { TableRow } from './files/table-row.ts';
import type { AmountExpression } from './profile/expression.ts';

export type AmountReader = (
  row: TableRow,
  expression: AmountExpression,
  rows?: readonly TableRow[],
) => Price | CellProblem;

export const amountReader = (cells: CellReader, money: (text: string) => Price | undefined): AmountReader => {
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

const plus = (left: Price | CellProblem, right: Price | CellProblem, sign: 1 | -1): Price | CellProblem => {
  if (typeof left !== 'number') return left;
  if (typeof right !== 'number') return right;
  const total = left + sign * right;
  if (Number.isSafeInteger(total)) return price(total);
  return { problem: 'makes an amount too large to be exact', column: '', value: String(total) };
};
