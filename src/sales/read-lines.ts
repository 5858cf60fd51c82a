import {
  allocate,
  isWholeCents,
  moneyOfPrice,
  type Price,
  price,
  priceOfMoney,
  ZERO,
} from '../kernel/money.ts';
import { columnsOfText, ifStated } from './expression.ts';
import type { LineSource } from './packed-lines.ts';
import { type CellProblem, isProblem, type RowReader } from './row-reader.ts';
import type { SaleLine } from './sale.ts';
import type { LineMap } from './sale-map.ts';
import type { Item } from './sale-words.ts';
import type { TableRow } from './table-row.ts';

const WHOLE = /^-?\d{1,9}(?:\.0+)?$/;
const PARTIAL = /^-?\d{1,9}\.\d{1,9}$/;

/** The lines of a record, and the amounts in them that are not goods. */
export type RecordLines = {
  readonly lines: readonly SaleLine[];
  /** Gift cards, which the export has among its goods, and tips, which it has not; neither is part of the sale. */
  readonly giftCards: Price;
  readonly tips: Price;
  readonly hasGiftCards: boolean;
  /** Whether a line of a refund has the minus of one; `true` where the profile says that refunds have none. */
  readonly hasMinus: boolean;
  /** Freight that the export lists as a line. */
  readonly shipping: Price;
};

/** Reads the line items of a record in file order, before any order-level discount. */
type LinesReader = (rows: readonly TableRow[], sign: 1 | -1) => RecordLines | CellProblem;

/** Return a reader of lines. Amounts of a refund get the sign of an order. */
export const linesReader = (
  map: LineMap,
  { readers, rowsOf, repeatsOf }: LineSource,
  categoryOf: (item: Item) => string | null,
): LinesReader => {
  const compiled = readers.map((read) => lineCells(map, read));
  return (rows, sign) => {
    for (const [first, again] of repeatsOf?.(rows) ?? []) {
      for (const cells of compiled) {
        const problem = contradiction(first, again, cells, sign);
        if (problem) return problem;
      }
    }
    const lines: SaleLine[] = [];
    const aside = { 'gift-card': 0, tip: 0, shipping: 0 };
    let hasGiftCards = false;
    let hasMinus = sign === 1;
    for (const row of rowsOf(rows)) {
      for (const cells of compiled) {
        if (cells.present(row) === '') continue;
        const treat = cells.rules.find(({ tests }) => tests.every((test) => test(row)))?.treat;
        if (treat === 'ignore') continue;
        const figures = readLineAmounts(row, cells, sign);
        if (isProblem(figures)) return figures;
        hasMinus ||= figures.hasMinus;
        const net = figures.unitPrice * figures.quantity - figures.discount;
        if (treat !== undefined) {
          aside[treat] += net;
          hasGiftCards ||= treat === 'gift-card';
          if (!Number.isSafeInteger(aside[treat])) return tooLarge(row, cells);
        } else {
          const sku = cells.sku(row);
          const description = cells.description(row);
          const category = cells.category?.(row) ?? '';
          lines.push({
            id: String(lines.length + 1),
            sku,
            description,
            quantity: figures.quantity,
            unitPrice: figures.unitPrice,
            discount: figures.discount,
            taxCode: categoryOf({ sku, name: description, category }),
          });
        }
      }
    }
    const [giftCards, tips, shipping] = [price(aside['gift-card']), price(aside.tip), price(aside.shipping)];
    return { lines, giftCards, tips, hasGiftCards, hasMinus, shipping };
  };
};

/** Compile the readers of a line. */
const lineCells = (map: LineMap, read: RowReader) => ({
  present: read.text(map.present),
  quantity: read.text(map.quantity),
  quantityColumn: columnsOfText(map.quantity),
  presentColumn: columnsOfText(map.present),
  sku: read.text(map.sku),
  description: read.text(map.description),
  category: ifStated(map.category, read.text),
  unitPrice: ifStated(map.unitPrice, read.amount),
  gross: ifStated(map.gross, read.amount),
  net: ifStated(map.net, read.amount),
  discount: ifStated(map.discount, read.amount),
  rules: map.rules.map(({ when, treat }) => ({ tests: when.map(read.holds), treat })),
});

type LineCells = ReturnType<typeof lineCells>;

/**
 * Check a further row of a line for a different quantity or amount. A row without readable amounts does not contradict.
 */
const contradiction = (
  first: TableRow,
  again: TableRow,
  cells: LineCells,
  sign: 1 | -1,
): CellProblem | undefined => {
  const known = readLineAmounts(first, cells, sign);
  const other = readLineAmounts(again, cells, sign);
  if (isProblem(known) || isProblem(other)) return undefined;
  const isSame = figureNames.every((name) => known[name] === other[name]);
  if (isSame) return undefined;
  return {
    problem: 'contradicts another row of its line in quantity or amounts',
    column: cells.presentColumn,
    value: cells.present(again),
  };
};
const figureNames = ['quantity', 'unitPrice', 'discount'] as const;

type LineAmounts = Pick<SaleLine, 'quantity' | 'unitPrice' | 'discount'>;

/** The amounts of a line, and whether its cells have the minus of a refund. Totals say it by their own sign. */
type ReadAmounts = LineAmounts & { readonly hasMinus: boolean };

const tooLarge = (row: TableRow, { quantity, quantityColumn }: LineCells): CellProblem => ({
  problem: 'makes the line too large to be exact',
  column: quantityColumn,
  value: quantity(row),
});

const readLineAmounts = (row: TableRow, cells: LineCells, sign: 1 | -1): ReadAmounts | CellProblem => {
  const unit = cells.unitPrice?.(row);
  if (isProblem(unit)) return unit;
  const gross = cells.gross?.(row);
  if (isProblem(gross)) return gross;
  const net = cells.net?.(row);
  if (isProblem(net)) return net;
  const off = cells.discount?.(row);
  if (isProblem(off)) return off;
  const text = cells.quantity(row);
  const hasTotal = gross !== undefined || net !== undefined;
  const isWhole = WHOLE.test(text) && (sign === -1 || hasTotal || !text.startsWith('-'));
  if (!isWhole && !(hasTotal && PARTIAL.test(text)))
    return { problem: 'is not a whole number', column: cells.quantityColumn, value: text };
  const figures = figuresOf({
    // A fractional quantity becomes one piece of that size.
    quantity: isWhole ? Math.abs(Number(text)) : 1,
    isWhole,
    unit: unit !== undefined && sign === -1 ? Math.abs(unit) : unit,
    gross: signed(gross, sign),
    net: signed(net, sign),
    discount: off === undefined ? undefined : Math.abs(off),
  });
  const hasMinus = hasTotal || text.startsWith('-') || (unit !== undefined && unit < 0);
  return figures ? { ...figures, hasMinus } : tooLarge(row, cells);
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

/**
 * Derive quantity, unit price and discount whose product less the discount is exactly the net of the export;
 * `undefined` if the amounts are too large to be exact.
 */
const figuresOf = (given: Given): LineAmounts | undefined => {
  const ofUnits = given.unit === undefined || !given.isWhole ? undefined : given.unit * given.quantity;
  const gross = given.gross ?? ofUnits ?? (given.net ?? 0) + (given.discount ?? 0);
  const net = given.net ?? gross - (given.discount ?? 0);
  // A line that costs more than its unit price suggests includes a charge: the amount paid counts.
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

/** The unit price that gives an amount, rounded up; the discount takes off any excess. */
const unitOf = (amount: number, quantity: number): number =>
  quantity === 0 ? 0 : Math.ceil(amount / quantity);

/** The net amount of a line, after its discount. */
export const netOf = (line: SaleLine): Price => price(line.unitPrice * line.quantity - line.discount);

/** What lines come to together. */
export const totalOf = (lines: readonly SaleLine[]): number =>
  lines.reduce((total, line) => total + netOf(line), 0);

/**
 * Turn negative lines, such as a coupon on a line of its own, into a discount spread over the other lines. `undefined`
 * if the other lines total less than that.
 */
export const foldNegativeLines = (lines: readonly SaleLine[]): readonly SaleLine[] | undefined => {
  const kept = lines.filter((line) => netOf(line) >= 0);
  if (kept.length === lines.length) return lines;
  const target = totalOf(lines);
  if (!Number.isSafeInteger(target) || target < 0) return undefined;
  const spread = spreadOrderDiscount(kept, price(target));
  return spread?.map((line, index) => ({ ...line, id: String(index + 1) }));
};

/**
 * Spread an order-level discount over the lines in proportion to their net amounts, so that they add up to the goods of
 * the order. `undefined` if that is impossible: they total less than the goods, the discount exceeds them, or it is
 * finer than a cent.
 */
export const spreadOrderDiscount = (
  lines: readonly SaleLine[],
  goods: Price,
): readonly SaleLine[] | undefined => {
  const nets = lines.map(netOf);
  const gap = totalOf(lines) - goods;
  if (gap === 0) return lines;
  const isPossible = gap > 0 && Number.isSafeInteger(gap) && lines.length > 0 && isWholeCents(price(gap));
  if (!isPossible || nets.some((net) => net < 0)) return undefined;
  const parts = allocate(moneyOfPrice(price(gap)), nets);
  const spread = lines.map((line, index) => ({
    ...line,
    discount: price(line.discount + priceOfMoney(parts[index] ?? ZERO)),
  }));
  return spread.every((line) => netOf(line) >= 0) ? spread : undefined;
};
