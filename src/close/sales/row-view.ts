import { type Price, parseExactPrice } from '../../kernel/price.ts';
import { type CellProblem, isProblem } from './cell-problem.ts';
import { cellReader, type RowForm } from './cell-reader.ts';
import type { TableRow } from './files/table-row.ts';
import { moneyReader } from './normal/read-money.ts';
import type { AmountExpression, Condition, TextExpression } from './profile/expression.ts';
import { amountReader } from './read-amount.ts';

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

/**
 * A reader of the rows under one header. Where columns stand is looked up once for each name, not for each row. Of
 * two columns with one name the first is meant: exports that repeat names put the ship-to block first.
 */
export const rowReader = (header: readonly string[], form: RowForm = {}): RowReader => {
  const cells = cellReader(header, form);
  const money = form.money === undefined ? parseExactPrice : moneyReader(form.money);
  const amount = amountReader(cells, money);
  const patterns = new Map<string, RegExp>();
  const lists = new Map<readonly string[], ReadonlySet<string>>();

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
    if ('in' in condition) {
      // Shops and people differ in capitals, never in what they mean by them.
      let list = lists.get(condition.in);
      if (!list) {
        list = new Set(condition.in.map((one) => one.toLowerCase()));
        lists.set(condition.in, list);
      }
      return list.has(value.toLowerCase());
    }
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
