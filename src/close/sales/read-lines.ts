import { allocate } from '../../kernel/allocate.ts';
import {
  isWholeCents,
  moneyOfPrice,
  type Price,
  price,
  priceOfMoney,
  ZERO_PRICE,
} from '../../kernel/price.ts';
import type { SalesProfile } from './profile.ts';
import type { TableRow } from './read-table.ts';
import { type CellProblem, isProblem, type RowReader } from './row-view.ts';
import type { SaleLine } from './sale.ts';

const QUANTITY = /^\d{1,9}(?:\.0+)?$/;

/** The line items of a record, in file order, before any discount that was given on the whole order. */
export const readLines = (
  rows: readonly TableRow[],
  map: SalesProfile['map']['line'],
  read: RowReader,
  categoryOf: (sku: string) => string | null,
): readonly SaleLine[] | CellProblem => {
  const lines: SaleLine[] = [];
  for (const row of rows) {
    if (read.text(row, map.present) === '') continue;
    const quantity = read.text(row, map.quantity);
    if (!QUANTITY.test(quantity))
      return { problem: 'is not a whole number', column: map.quantity, value: quantity };
    const unitPrice = read.amount(row, map.unitPrice);
    if (isProblem(unitPrice)) return unitPrice;
    const discount = read.amount(row, map.discount);
    if (isProblem(discount)) return discount;
    const gross = unitPrice * Number(quantity);
    if (!Number.isSafeInteger(Math.abs(gross) + Math.abs(discount)))
      return { problem: 'makes the line too large to be exact', column: map.quantity, value: quantity };
    const sku = read.text(row, map.sku);
    lines.push({
      id: String(lines.length + 1),
      sku,
      description: read.text(row, map.description),
      quantity: Number(quantity),
      unitPrice,
      discount: price(Math.abs(discount)),
      taxCode: categoryOf(sku),
    });
  }
  return lines;
};

/** What a line comes to after its discount. */
export const netOf = (line: SaleLine): Price => price(line.unitPrice * line.quantity - line.discount);

/**
 * Spread what was taken off the whole order over its lines, in proportion to what each came to, so that the lines
 * add up to the goods of the order. `undefined` when they cannot: they come to less than the goods, or the gap is
 * larger than the lines, or finer than a cent.
 */
export const spreadOrderDiscount = (
  lines: readonly SaleLine[],
  goods: Price,
): readonly SaleLine[] | undefined => {
  const nets = lines.map(netOf);
  const total = nets.reduce<number>((running, net) => running + net, ZERO_PRICE);
  if (!Number.isSafeInteger(total) || !Number.isSafeInteger(total - goods)) return undefined;
  const gap = price(total - goods);
  if (gap === 0) return lines;
  if (gap < 0 || lines.length === 0 || !isWholeCents(gap) || nets.some((net) => net < 0)) return undefined;
  const parts = allocate(moneyOfPrice(gap), nets);
  const spread = lines.map((line, index) => ({
    ...line,
    discount: price(line.discount + priceOfMoney(parts[index] ?? moneyOfPrice(ZERO_PRICE))),
  }));
  return spread.every((line) => netOf(line) >= 0) ? spread : undefined;
};
