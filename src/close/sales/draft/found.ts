import { formatMoney, moneyOfPrice, price } from '../../../kernel/money.ts';
import type { Guess, SampleColumn } from './guess-columns.ts';
import type { PriceColumns } from './prove-price.ts';
import { amountsIn, type OrderRows, sumOf } from './sample-amounts.ts';

/** How rows may form orders. */
export const SHAPES = {
  'order-per-row': 'each row is an order',
  'line-repeat':
    'each row is a line of an order, and the cells of the order are on each of its rows, or on the first',
} as const;

/** The rows of each order. */
export type Orders = { readonly kind: keyof typeof SHAPES; readonly orders: readonly OrderRows[] };

/** What was found in a sample. */
export type Found = Orders & {
  readonly guess: Guess;
  readonly price: PriceColumns;
  readonly columns: readonly SampleColumn[];
};

/** What a column comes to in all orders. */
export const sumIn = (column: SampleColumn, orders: readonly OrderRows[]): string =>
  formatMoney(moneyOfPrice(price(sumOf(amountsIn(column, orders)))));

export const quoted = (text: string): string => JSON.stringify(text);
export const listed = (texts: readonly string[]): string => `[${texts.map(quoted).join(', ')}]`;
