import { add, type Money, subtract, ZERO } from '../../kernel/money.ts';
import { moneyOfPrice, price, priceOfMoney } from '../../kernel/price.ts';
import { netOf } from '../sales/read-lines.ts';
import type { RefundedPart, Sale, SaleLine } from '../sales/sale.ts';
import { type Fraction, NOTHING, plus, rounded, wholeCents } from './fraction.ts';
import type { TaxUnit } from './tax-model.ts';

/** The amounts of a sale that decide what it gives back of its order. */
export type Asked = Pick<Sale, 'amount' | 'shipping' | 'lines' | 'partOf'>;

/** How much of an amount was given back before a refund and with it, in the unit of the amount. */
export type Range = { readonly before: number; readonly after: number; readonly of: number };

export const NONE: Range = { before: 0, after: 0, of: 0 };

/** An exact figure of the order, and how much of it is given back. */
export type Part = { readonly whole: Fraction; readonly range: Range };

/** What parts come to before a refund, with it, or with all refunds of the order, exactly. */
export const exactlyUpTo = (end: keyof Range, parts: readonly Part[]): Fraction =>
  parts
    .filter(({ range }) => range.of !== 0)
    .map(({ whole: { dividend, divisor }, range }) => ({
      dividend: dividend * BigInt(range[end]),
      divisor: divisor * BigInt(range.of),
    }))
    .reduce(plus, NOTHING);

/** What parts come to before a refund, or with it, rounded once. */
export const upTo = (end: 'before' | 'after', parts: readonly Part[]): Money =>
  rounded(exactlyUpTo(end, parts));

/** What parts come to with a refund, less what they came to before it. */
export const givenBack = (parts: readonly Part[]): Money =>
  subtract(upTo('after', parts), upTo('before', parts));

type Ranges = { readonly all: Range; readonly shipping: Range; readonly lines: readonly Range[] };

/**
 * Returns what is given back of the amount, the shipping and each line of the order. Goods that no line tells go to each
 * line by its share of all goods; a refund of shipping alone leaves each line where it was.
 */
export const rangesOf = ({ amount, shipping, lines }: Asked, partOf: RefundedPart): Ranges => {
  const goods = goodsOf(partOf);
  const shippingBefore = partOf.before?.shipping ?? ZERO;
  const goodsBefore = goods.map((_, index) => priceOfMoney(partOf.before?.goods[index] ?? ZERO));
  const ofAll = { before: totalOf(goodsBefore), of: totalOf(goods) };
  return {
    all: rangeOf(add(shippingBefore, moneyOfPrice(price(ofAll.before))), amount, partOf.amount),
    shipping: rangeOf(shippingBefore, shipping, partOf.shipping),
    lines: goods.map((of, index) =>
      lines.length === 0 && amount !== shipping
        ? rangeOf(ofAll.before, priceOfMoney(subtract(amount, shipping)), ofAll.of)
        : rangeOf(goodsBefore[index] ?? 0, totalOf(partsOfLine(index, lines, partOf)), of),
    ),
  };
};

export const rangeOf = (before: number, now: number, of: number): Range => ({
  before,
  after: before + now,
  of,
});

/** Returns the price of each line of the order; goods without lines count as one line, as in the request. */
const goodsOf = ({ amount, shipping, lines }: RefundedPart): readonly number[] =>
  lines.length === 0 ? [priceOfMoney(subtract(amount, shipping))] : lines.map(netOf);

/** Returns the prices of the lines of the refund that belong to a line of the order. */
const partsOfLine = (
  position: number,
  lines: readonly SaleLine[],
  { positions }: RefundedPart,
): readonly number[] => lines.filter((_, index) => positions[index] === position).map(netOf);

const totalOf = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0);

/** A line of an order, or its shipping, and how much of it is given back. */
export type RangedUnit = { readonly unit: TaxUnit | undefined; readonly range: Range };

/** Returns the exact tax of a unit, level by level, with how much of it is given back. */
export const taxesOf = ({ unit, range }: RangedUnit): readonly Part[] =>
  (unit?.shares ?? []).map(({ tax }) => ({ whole: tax, range }));

/**
 * Returns the exact taxes of an order with how much of each is given back. The rest, which no unit shows, goes with the
 * tax of the units, so that what is not taxed has no part of it; without such tax it goes with the amount.
 */
export const taxesOfOrder = (
  units: readonly RangedUnit[],
  { rest, all }: { readonly rest: Money; readonly all: Range },
): readonly Part[] => {
  const taxes = units.flatMap(taxesOf);
  if (rest === ZERO) return taxes;
  const total = taxes.map(({ whole }) => whole).reduce(plus, NOTHING);
  if (total.dividend <= 0n) return [...taxes, { whole: wholeCents(rest), range: all }];
  const shares = taxes.map(({ whole: { dividend, divisor }, range }) => ({
    whole: {
      dividend: BigInt(rest) * dividend * total.divisor,
      divisor: divisor * total.dividend,
    },
    range,
  }));
  return [...taxes, ...shares];
};
