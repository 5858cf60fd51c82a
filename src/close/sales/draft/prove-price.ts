import { type Guess, isFlag, type SampleColumn } from './guess-columns.ts';
import { amountOf, amountsIn, type OrderRows, sumOf } from './sample-amounts.ts';

/** A column of prices: of all units of a line, or of one unit. */
export type PriceColumn = { readonly column: SampleColumn; readonly of: 'all' | 'unit' };

/** The columns with the price and the total of a sale, and whether their numbers prove it. */
export type PriceColumns = {
  readonly goods: PriceColumn | undefined;
  readonly total: SampleColumn | undefined;
  /** Goods, shipping and tax come to the total in every order of the sample. */
  readonly isProven: boolean;
};

/** The columns that have amounts, and no flags of 0 and 1. */
export const amountColumns = (columns: readonly SampleColumn[]): readonly SampleColumn[] =>
  columns.filter((column) => {
    const filled = column.cells.filter((cell) => cell !== '');
    return filled.length > 0 && !isFlag(column) && filled.every((cell) => amountOf(cell) !== undefined);
  });

/**
 * Find the price by its numbers: goods, shipping and tax come to the total in every order, for two of the columns. Where
 * no two do, the words of the names decide about the goods, and a total is one only where no column has the goods.
 */
export const findPrice = (
  guess: Guess,
  columns: readonly SampleColumn[],
  orders: readonly OrderRows[],
): PriceColumns => {
  const taken = [guess.shipping, guess.tax, guess.refunded, guess.id, guess.quantity];
  const amounts = amountColumns(columns).filter((column) => !taken.includes(column));
  const first = (...named: readonly (SampleColumn | undefined)[]): Iterable<SampleColumn> =>
    new Set([...named.filter((column) => column !== undefined), ...amounts]);
  const [shipping, tax] = [guess.shipping, guess.tax].map((column) => column && amountsIn(column, orders));
  const beside = orders.map((_, at) => (shipping?.[at] ?? 0) + (tax?.[at] ?? 0));
  const isTotal = (total: SampleColumn, goods: PriceColumn): boolean => {
    const [whole, part] = [amountsIn(total, orders), pricesIn(goods, guess.quantity, orders)];
    return (
      total !== goods.column && whole.every((amount, at) => amount === (part[at] ?? 0) + (beside[at] ?? 0))
    );
  };
  // Without shipping and tax, any two equal columns would be price and total.
  for (const total of beside.some((amount) => amount !== 0) ? first(guess.total) : [])
    for (const column of first(guess.goods, guess.price))
      for (const of of guess.quantity ? (['all', 'unit'] as const) : (['all'] as const))
        if (isTotal(total, { column, of })) return { goods: { column, of }, total, isProven: true };
  const goods = named(guess);
  return { goods, total: goods ? undefined : guess.total, isProven: false };
};

const named = ({ goods, price, quantity }: Guess): PriceColumn | undefined => {
  if (goods) return { column: goods, of: 'all' };
  return price && quantity && { column: price, of: 'unit' };
};

/** What a price comes to in each order. */
const pricesIn = (
  { column, of }: PriceColumn,
  quantity: SampleColumn | undefined,
  orders: readonly OrderRows[],
): readonly number[] =>
  of === 'all'
    ? amountsIn(column, orders)
    : orders.map((rows) =>
        sumOf(rows.map((at) => (amountOf(column.cells[at] ?? '') ?? 0) * Number(quantity?.cells[at] || 1))),
      );
