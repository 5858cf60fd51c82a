import { DefectError } from '../../kernel/errors.ts';
import { type Price, parseExactPrice, price, ZERO_PRICE } from '../../kernel/price.ts';
import { normalColumn } from './detect-profile.ts';
import type { AmountExpression, Condition } from './profile.ts';
import type { TableRow } from './read-table.ts';

/** A cell does not hold what its column promises. It becomes the reason why the record is rejected. */
export type CellProblem = { readonly problem: string; readonly column: string; readonly value: string };

export const isProblem = <Value>(value: Value | CellProblem): value is CellProblem =>
  typeof value === 'object' && value !== null && 'problem' in value;

/** The columns that an amount is read from, for a message about it. */
export const columnsOf = (expression: AmountExpression): string => {
  if (typeof expression === 'string') return expression;
  if ('orZero' in expression) return expression.orZero;
  return ('sum' in expression ? expression.sum : expression.subtract).map(columnsOf).join(', ');
};

/** Reads the cells of a row by column name. */
export type RowReader = {
  readonly text: (row: TableRow, column: string) => string;
  readonly amount: (row: TableRow, expression: AmountExpression) => Price | CellProblem;
  readonly holds: (row: TableRow, condition: Condition) => boolean;
};

/** The first of two columns with one name is meant: exports that repeat names put the ship-to block first. */
export const rowReader = (header: readonly string[]): RowReader => {
  const indexes = new Map<string, number>();
  header.forEach((cell, index) => {
    const name = normalColumn(cell);
    if (!indexes.has(name)) indexes.set(name, index);
  });

  const text = (row: TableRow, column: string): string => {
    const index = indexes.get(normalColumn(column));
    return index === undefined ? '' : unguarded((row.cells[index] ?? '').trim());
  };

  const cellAmount = (row: TableRow, column: string, blank: Price | undefined): Price | CellProblem => {
    const value = text(row, column);
    const amount = value === '' ? blank : parseExactPrice(value);
    return amount ?? { problem: value === '' ? 'is blank' : 'is not an amount', column, value };
  };

  const amount = (row: TableRow, expression: AmountExpression): Price | CellProblem => {
    if (typeof expression === 'string') return cellAmount(row, expression, undefined);
    if ('orZero' in expression) return cellAmount(row, expression.orZero, ZERO_PRICE);
    if ('sum' in expression) {
      return expression.sum.reduce<Price | CellProblem>(
        (total, part) => plus(total, amount(row, part), 1),
        ZERO_PRICE,
      );
    }
    if ('subtract' in expression) {
      return plus(amount(row, expression.subtract[0]), amount(row, expression.subtract[1]), -1);
    }
    throw new DefectError('an amount expression has none of the known forms');
  };

  const holds = (row: TableRow, condition: Condition): boolean => {
    const value = text(row, condition.column);
    if ('in' in condition) return condition.in.includes(value);
    return (value !== '') === (condition.is === 'filled');
  };

  return { text, amount, holds };
};

/** Reject files, and careful people, put an apostrophe before what a spreadsheet would take for a formula. */
const unguarded = (text: string): string => (/^'[=+\-@]/.test(text) ? text.slice(1) : text);

const plus = (left: Price | CellProblem, right: Price | CellProblem, sign: 1 | -1): Price | CellProblem => {
  if (isProblem(left)) return left;
  return isProblem(right) ? right : price(left + sign * right);
};
