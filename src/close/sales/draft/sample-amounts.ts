import type { Price } from '../../../kernel/money.ts';
import { moneyReader } from '../normal/read-money.ts';
import type { SampleColumn } from './guess-columns.ts';

/** Reads an amount of a draft's sample, written as most exports of US shops do. */
export const amountOf: (cell: string) => Price | undefined = moneyReader({
  decimal: '.',
  group: ',',
  negative: ['minus', 'parentheses', 'typographic-minus'],
  currencySymbols: ['$', 'US$', 'USD'],
});

/** The rows of one order, by their places in the sample. */
export type OrderRows = readonly number[];

/** Rows next to each other with one number, or with none behind the first, are one order. */
export const ordersOf = (ids: readonly string[]): readonly OrderRows[] => {
  const orders: number[][] = [];
  for (const [at, id] of ids.entries()) {
    const isFurther = at > 0 && (id === '' || id === ids[at - 1]);
    if (isFurther) orders.at(-1)?.push(at);
    else orders.push([at]);
  }
  return orders;
};

/** Whether the cells of a column differ between the rows of one order, so that they are of lines and not of the order. */
export const isOfLines = ({ cells }: SampleColumn, orders: readonly OrderRows[]): boolean =>
  orders.some((rows) => new Set(rows.map((at) => cells[at]).filter((cell) => cell)).size > 1);

/** What a column comes to in each order: the sum of its lines, or what it says once. Blank cells are zero. */
export const amountsIn = (column: SampleColumn, orders: readonly OrderRows[]): readonly number[] => {
  const ofLines = isOfLines(column, orders);
  return orders.map((rows) => {
    const amounts = rows
      .map((at) => amountOf(column.cells[at] ?? ''))
      .filter((amount) => amount !== undefined);
    return ofLines ? sumOf(amounts) : (amounts[0] ?? 0);
  });
};

export const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
