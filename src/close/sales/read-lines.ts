import { allocate } from '../../kernel/allocate.ts';
import {
  isWholeCents,
  moneyOfPrice,
  type Price,
  price,
  priceOfMoney,
  ZERO_PRICE,
} from '../../kernel/price.ts';
import { type CellProblem, isProblem } from './cell-problem.ts';
import type { TableRow } from './files/table-row.ts';
import type { AmountExpression } from './profile/expression.ts';
import type { LineMap } from './profile/sale-map.ts';
import { columnsOfText, type RowReader } from './row-view.ts';
import type { SaleLine } from './sale.ts';

const WHOLE = /^-?\d{1,9}(?:\.0+)?$/;
const PARTIAL = /^-?\d{1,9}\.\d{1,9}$/;

/** The lines of a record, and what stands among them that is no goods. */
export type RecordLines = {
  readonly lines: readonly SaleLine[];
  /** What was paid for gift cards, and given as tips: in the goods of the export, and in no sale. */
  readonly notSold: Price;
  readonly giftCards: number;
  /** Freight that the export has as a line. */
  readonly shipping: Price;
};

/**
 * The line items of a record, in file order, before any discount that was given on the whole order. The amounts of
 * a refund are read with the sign of an order.
 */
export const readLines = (
  rows: readonly TableRow[],
  map: LineMap,
  read: RowReader,
  categoryOf: (sku: string) => string | null,
  sign: 1 | -1 = 1,
): RecordLines | CellProblem => {
  const lines: SaleLine[] = [];
  let [notSold, shipping]: [number, number] = [0, 0];
  let giftCards = 0;
  for (const row of rows) {
    if (read.text(row, map.present) === '') continue;
    const figures = readLineAmounts(row, map, read, sign);
    if (isProblem(figures)) return figures;
    const rule = map.rules.find(({ when }) => when.every((condition) => read.holds(row, condition)));
    const net = figures.unitPrice * figures.quantity - figures.discount;
    if (rule?.treat === 'ignore') continue;
    if (rule?.treat === 'shipping') shipping += net;
    else if (rule) {
      notSold += net;
      if (rule.treat === 'gift-card') giftCards += 1;
    } else {
      const sku = read.text(row, map.sku);
      lines.push({
        id: String(lines.length + 1),
        sku,
        description: read.text(row, map.description),
        ...figures,
        taxCode: categoryOf(sku),
      });
    }
    if (!Number.isSafeInteger(notSold) || !Number.isSafeInteger(shipping)) return tooLarge(row, map, read);
  }
  return { lines, notSold: price(notSold), giftCards, shipping: price(shipping) };
};

type LineAmounts = Pick<SaleLine, 'quantity' | 'unitPrice' | 'discount'>;

const tooLarge = (row: TableRow, map: LineMap, read: RowReader): CellProblem => ({
  problem: 'makes the line too large to be exact',
  column: columnsOfText(map.quantity),
  value: read.text(row, map.quantity),
});

const readLineAmounts = (
  row: TableRow,
  map: LineMap,
  read: RowReader,
  sign: 1 | -1,
): LineAmounts | CellProblem => {
  const amount = (expression: AmountExpression | undefined): Price | undefined | CellProblem =>
    expression === undefined ? undefined : read.amount(row, expression);
  const [unit, gross, net, off] = [
    amount(map.unitPrice),
    amount(map.gross),
    amount(map.net),
    amount(map.discount),
  ];
  for (const value of [unit, gross, net, off]) if (value !== undefined && isProblem(value)) return value;
  const text = read.text(row, map.quantity);
  const hasTotal = gross !== undefined || net !== undefined;
  const isWhole = WHOLE.test(text) && (sign === -1 || hasTotal || !text.startsWith('-'));
  if (!isWhole && !(hasTotal && PARTIAL.test(text)))
    return { problem: 'is not a whole number', column: columnsOfText(map.quantity), value: text };
  const figures = figuresOf({
    // A part of a piece is sold as one piece of that size.
    quantity: isWhole ? Math.abs(Number(text)) : 1,
    isWhole: isWhole,
    unit: unit === undefined ? undefined : sign === -1 ? Math.abs(unit as Price) : (unit as Price),
    gross: signed(gross as Price | undefined, sign),
    net: signed(net as Price | undefined, sign),
    discount: off === undefined ? undefined : Math.abs(off as Price),
  });
  return figures ?? tooLarge(row, map, read);
};

const signed = (value: Price | undefined, sign: 1 | -1): number | undefined =>
  value === undefined ? undefined : value * sign;

type Given = {
  readonly quantity: number;
  readonly isWhole: boolean;
  readonly unit: number | undefined;
  readonly gross: number | undefined;
  readonly net: number | undefined;
  readonly discount: number | undefined;
};

/** Quantity, unit price and discount so that their product less the discount is exactly what the export says. */
const figuresOf = (given: Given): LineAmounts | undefined => {
  const ofUnits = given.unit === undefined || !given.isWhole ? undefined : given.unit * given.quantity;
  const gross = given.gross ?? ofUnits ?? (given.net ?? 0) + (given.discount ?? 0);
  const net = given.net ?? gross - (given.discount ?? 0);
  // A line that costs more than its unit price says carries a charge: what was paid counts.
  const before = Math.sign(gross) * (gross - net) < 0 ? net : gross;
  const quantity = given.quantity === 0 && before !== 0 ? 1 : given.quantity;
  const unitPrice = before === ofUnits && given.unit !== undefined ? given.unit : unitOf(before, quantity);
  const discount = unitPrice * quantity - net;
  const isExact = [
    unitPrice,
    unitPrice * quantity,
    discount,
    Math.abs(unitPrice * quantity) + Math.abs(discount),
  ].every(Number.isSafeInteger);
  return isExact ? { quantity, unitPrice: price(unitPrice), discount: price(discount) } : undefined;
};

/** The unit price that comes to an amount, or to a hair more that the discount takes off again. */
const unitOf = (amount: number, quantity: number): number =>
  quantity === 0 ? 0 : Math.ceil(amount / quantity);

/** What a line comes to after its discount. */
export const netOf = (line: SaleLine): Price => price(line.unitPrice * line.quantity - line.discount);

/**
 * Take lines that come to less than nothing, such as a coupon in a line of its own, as a discount over the others.
 * `undefined` when the others come to less than that.
 */
export const foldNegativeLines = (lines: readonly SaleLine[]): readonly SaleLine[] | undefined => {
  const kept = lines.filter((line) => netOf(line) >= 0);
  if (kept.length === lines.length) return lines;
  const target = lines.reduce((running, line) => running + netOf(line), 0);
  if (!Number.isSafeInteger(target) || target < 0) return undefined;
  const spread = spreadOrderDiscount(kept, price(target));
  return spread?.map((line, index) => ({ ...line, id: String(index + 1) }));
};

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
