import { utcDateOf } from '../../kernel/calendar.ts';
import { subtract, ZERO } from '../../kernel/money.ts';
import { netOf } from './read-lines.ts';
import type { RefundedPart, Sale, SaleLine } from './sale.ts';

/**
 * Returns the part of its order that a refund with rows of its own gives back. `undefined` if it gives all of it back
 * and so is calculated like the order, if a marketplace remits its tax, or if its lines are not in the order: then it
 * is calculated as a sale of its own. Earlier refunds of the order are not known here.
 */
export const refundedPartOf = (refund: Sale, order: Sale): RefundedPart | undefined => {
  const { amount, shipping, lines } = order;
  const isWithin =
    refund.shipping <= shipping && subtract(refund.amount, refund.shipping) <= subtract(amount, shipping);
  if (!isWithin || refund.exemptionType === 'marketplace') return undefined;
  const positions = refund.lines.length === 0 ? undividedIn(refund, order) : positionsIn(refund.lines, lines);
  if (!positions || isWhole(refund, order, positions)) return undefined;
  return { amount, shipping, lines, ...taxOfOrder(order), positions };
};

/** Returns the tax that an order was charged, as a refund of a part of it carries it. */
export const taxOfOrder = ({
  salesTax,
  taxLines,
}: Pick<Sale, 'salesTax' | 'taxLines'>): Pick<RefundedPart, 'salesTax' | 'taxLines'> => ({
  salesTax,
  ...(taxLines.length > 0 && { taxLines }),
});

/** Returns the day of an order in UTC, as a refund of it carries it: where that is not the day whose law applies. */
export const utcDateOfOrder = ({
  instant,
  taxDate,
}: Pick<Sale, 'instant' | 'taxDate'>): Pick<Sale, 'orderUtcDate'> => {
  const orderUtcDate = utcDateOf(instant);
  return orderUtcDate === taxDate ? {} : { orderUtcDate };
};

/** Goods without lines: none, all, or those of the only line of the order; otherwise the lines are not known. */
const undividedIn = (refund: Sale, order: Sale): readonly number[] | undefined => {
  const goods = subtract(refund.amount, refund.shipping);
  const isKnown = goods === ZERO || goods === subtract(order.amount, order.shipping);
  return isKnown || order.lines.length <= 1 ? [] : undefined;
};

/**
 * Finds each line in the order, among the lines of the same goods of which enough is left. The same goods can be in an
 * order at several prices, one of them below a limit and one above, so lines that fit by their price are found first. A
 * line of nothing, which some exports write beside shipping, fits any line.
 */
const positionsIn = (
  lines: readonly SaleLine[],
  ordered: readonly SaleLine[],
): readonly number[] | undefined => {
  const left = ordered.map(netOf) as number[];
  const positions = lines.map(() => -1);
  for (const fits of [isSamePiece, isSamePrice, isSameGoods]) {
    for (const [index, line] of lines.entries()) {
      if (positions[index] !== -1) continue;
      const net = netOf(line);
      const position = ordered.findIndex(
        (one, at) => net === 0 || (fits(one, line) && net <= (left[at] ?? 0)),
      );
      if (position >= 0) left[position] = (left[position] ?? 0) - net;
      positions[index] = position;
    }
  }
  return positions.includes(-1) ? undefined : positions;
};

const isSamePiece = (one: SaleLine, other: SaleLine): boolean =>
  isSameGoods(one, other) && netOf(one) * other.quantity === netOf(other) * one.quantity;

const isSamePrice = (one: SaleLine, other: SaleLine): boolean =>
  isSameGoods(one, other) && one.unitPrice === other.unitPrice;

const isSameGoods = (one: SaleLine, other: SaleLine): boolean =>
  one.taxCode === other.taxCode &&
  (one.sku !== '' || other.sku !== '' ? one.sku === other.sku : one.description === other.description);

/** Whether a refund gives back everything: its request is that of the order. */
const isWhole = (refund: Sale, order: Sale, positions: readonly number[]): boolean =>
  refund.amount === order.amount &&
  refund.shipping === order.shipping &&
  positions.length === order.lines.length &&
  positions.every((position, index) => {
    const [line, ordered] = [refund.lines[index], order.lines[position]];
    return line?.quantity === ordered?.quantity && line?.unitPrice === ordered?.unitPrice;
  });
