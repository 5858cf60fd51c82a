import { utcDateOf } from '../kernel/calendar.ts';
import { add, type Money, moneyOfPrice, priceOfMoney, subtract, sum, ZERO } from '../kernel/money.ts';
import { netOf } from './read-lines.ts';
import { holding, type Place, postingOf, type RefundedPart, type Sale, type SaleLine } from './sale.ts';

/** What refunds of an order gave back before another one. */
type Before = NonNullable<RefundedPart['before']>;

/**
 * Returns refunds of an order with rows of their own, in the order in which they were paid, with the part of the order that
 * each gives back. A part knows what the posted ones before it gave back, unless one of these does not say which goods it
 * gave back.
 */
export const withRefundedParts = (refunds: readonly Sale[], order: Sale): readonly Sale[] => {
  let before: Before | undefined = nothingBefore(order);
  return refunds.map((refund) => {
    const partOf = refundedPartOf(refund, order, before);
    if (postingOf(refund) === 'posted') before &&= withRefund(before, refund, order);
    return partOf ? { ...refund, partOf } : refund;
  });
};

const nothingBefore = (order: Sale): Before => ({
  shipping: ZERO,
  goods: goodsOf(order).map(() => ZERO),
  salesTax: ZERO,
});

/**
 * Returns the part of its order that a refund with rows of its own gives back. `undefined` if it gives all of it back,
 * the tax included, and so is calculated like the order, if a marketplace remits its tax, or if its lines are not in the order: then it
 * is calculated as a sale of its own.
 *
 * @param before what earlier refunds gave back, if it is known
 */
export const refundedPartOf = (refund: Sale, order: Sale, before?: Before): RefundedPart | undefined => {
  const { amount, shipping, lines } = order;
  const positions = refund.exemptionType === 'marketplace' ? undefined : positionsOf(refund, order, before);
  const isFirst = !before || sum([before.shipping, before.salesTax, ...before.goods]) === ZERO;
  const isLikeOrder = positions && isFirst && isWhole(refund, order, positions);
  if (!positions || (isLikeOrder && !isWithoutTax(refund, order))) return undefined;
  return {
    amount,
    shipping,
    lines,
    ...taxOfOrder(order),
    positions,
    ...(!isFirst && { before }),
  };
};

/** Adds a refund to what was given back before it; `undefined` if it does not say which goods it gave back. */
const withRefund = (before: Before, refund: Sale, order: Sale): Before | undefined => {
  const positions = positionsOf(refund, order, before);
  if (!positions) return undefined;
  const undivided = subtract(refund.amount, refund.shipping);
  const goods = goodsOf(order);
  const given = goods.map((net, position): Money => {
    if (refund.lines.length > 0)
      return sum(
        refund.lines.map((line, index) => (positions[index] === position ? moneyOfPrice(netOf(line)) : ZERO)),
      );
    // All goods, none of them, or some of the only line.
    return goods.length === 1 || undivided === ZERO ? undivided : net;
  });
  return {
    shipping: add(before.shipping, refund.shipping),
    goods: before.goods.map((amount, position) => add(amount, given[position] ?? ZERO)),
    salesTax: add(before.salesTax, refund.salesTax),
  };
};

/** The goods of an order, line by line; goods without lines count as one line. */
const goodsOf = ({ amount, shipping, lines }: Sale): readonly Money[] =>
  lines.length === 0 ? [subtract(amount, shipping)] : lines.map((line) => moneyOfPrice(netOf(line)));

/** Whether a refund gives back pieces at the very prices of an order; if it is the whole amount, with the tax of it. */
const hasSamePieces = (order: Sale, refund: Sale): boolean =>
  refund.lines.every((line) => order.lines.some((one) => isSamePiece(one, line))) &&
  (refund.amount !== order.amount || taxesOf(refund) === taxesOf(order));

const taxesOf = ({ salesTax, marketplaceTax }: Sale): Money => add(salesTax, marketplaceTax);

/** What refunds left of each line of an order. */
const leftOf = ({ lines }: Sale, before: Before | undefined): readonly number[] =>
  lines.map((line, position) => netOf(line) - priceOfMoney(before?.goods[position] ?? ZERO));

/**
 * Returns the position in the order of each line of a refund. Goods that earlier refunds gave back are taken again only
 * where nothing else is left. `undefined` if the refund is more than the order, or its lines are not in the order.
 */
const positionsOf = (refund: Sale, order: Sale, before?: Before): readonly number[] | undefined => {
  const isWithin =
    refund.shipping <= order.shipping &&
    subtract(refund.amount, refund.shipping) <= subtract(order.amount, order.shipping);
  if (!isWithin) return undefined;
  if (refund.lines.length === 0) return undividedIn(refund, order);
  return (
    positionsIn(refund.lines, order.lines, leftOf(order, before)) ??
    positionsIn(refund.lines, order.lines, order.lines.map(netOf))
  );
};

/** Returns the tax that an order was charged, as a refund of a part of it carries it. */
export const taxOfOrder = ({ salesTax, taxLines }: Sale): Pick<RefundedPart, 'salesTax' | 'taxLines'> => ({
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
  unrefunded: readonly number[],
): readonly number[] | undefined => {
  const left = [...unrefunded];
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

/** Whether a refund gives back none of the tax that its order was charged. */
const isWithoutTax = (refund: Sale, order: Sale): boolean =>
  refund.salesTax === ZERO && order.salesTax > ZERO;

/** Whether a refund gives back everything: its request is that of the order. */
const isWhole = (refund: Sale, order: Sale, positions: readonly number[]): boolean =>
  refund.amount === order.amount &&
  refund.shipping === order.shipping &&
  positions.length === order.lines.length &&
  positions.every((position, index) => {
    const line = refund.lines[index];
    const ordered = order.lines[position];
    return line?.quantity === ordered?.quantity && line?.unitPrice === ordered?.unitPrice;
  });

/**
 * Returns a refund of an order in several parts, such as one that ships twice, as one of the part that it gives back.
 * Exports name the order only, so the part that was sold before with the very pieces has to tell. What that leaves open
 * is asked if the tax of the parts can differ: then the refund is held.
 *
 * @param parts the parts of the order, in the order in which they were sold
 */
export const withItsPart = (refund: Sale, parts: readonly Sale[]): Sale => {
  const sold = parts.filter(({ instant }) => instant <= refund.instant);
  const exact = sold.filter((part) => hasSamePieces(part, refund));
  const candidates = [exact, sold].find(({ length }) => length > 0) ?? parts;
  const [part, ...others] = candidates;
  if (!part) return refund;
  const linked: Sale = { ...refund, reference: part.id };
  if (others.every((other) => isTaxedAlike(part, other))) return linked;
  const [first = '', ...rest] = candidates.map(({ id, businessDate }) => `${id} of ${businessDate}`);
  const message = `the refund may be of ${first} or of ${rest.join(' or ')}, and the export does not say which; posted, it counts for the first of them`;
  const findings = [...holding([{ code: 'refund-part-unknown', message }]), ...refund.findings];
  return { ...linked, outcome: 'review', findings };
};

/** Whether equal goods have equal tax in both parts: that of one day and place, or none that the seller remits. */
const isTaxedAlike = (one: Sale, other: Sale): boolean =>
  one.exemptionType === other.exemptionType &&
  (one.exemptionType === 'marketplace' ||
    (one.taxDate === other.taxDate && isSamePlace(one.shipTo, other.shipTo)));

const isSamePlace = (one: Place, other: Place): boolean =>
  (['country', 'state', 'zip', 'city', 'street'] as const).every((name) => one[name] === other[name]);
