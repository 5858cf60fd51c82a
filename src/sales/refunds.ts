import { type Instant, utcDateOf } from '../kernel/calendar.ts';
import type { Origin } from '../kernel/finding.ts';
import {
  add,
  allocate,
  formatMoney,
  type Money,
  moneyOfPrice,
  priceOfMoney,
  subtract,
  sum,
  ZERO,
  ZERO_PRICE,
} from '../kernel/money.ts';
import type { zoneCalendar } from '../kernel/time-zones.ts';
import { CENT } from './packed-lines.ts';
import { netOf } from './read-lines.ts';
import type { ReadSale } from './read-sale.ts';
import { NOWHERE } from './read-ship-to.ts';
import {
  holding,
  type Place,
  postingOf,
  type RefundDate,
  type RefundedPart,
  type Sale,
  type SaleFinding,
  type SaleLine,
} from './sale.ts';
import { saleKey } from './sale-name.ts';
import { stateFeesOf } from './settle-amounts.ts';

type Calendar = ReturnType<typeof zoneCalendar>;

/** The treatment of a dated partial refund that is not divided: left to a person, or divided like its order. */
export type Undivided = 'hold' | 'prorate';

/**
 * Derive the refunds of an order whose export gives only the total refunded. A single dated repayment of the whole
 * total mirrors the order. Refunds without dates, or with dates that do not add up, need a review. So do partial
 * refunds that the export does not split into goods, shipping and tax, unless the policy divides them. Until then a
 * refund is shown in the proportions of its order, but is not filed.
 *
 * @param undivided how to treat an undivided part, by the id and the day of the refund
 */
export const refundsOf = (
  { sale: order, refunded }: Pick<ReadSale, 'sale' | 'refunded'>,
  dates: readonly RefundDate[],
  calendar: Calendar,
  undivided: (refund: Pick<Sale, 'channel' | 'id' | 'businessDate'>) => Undivided,
): readonly Sale[] => {
  const divided = refundDivider(order);
  const paidBack = sum(dates.map(({ amount }) => amount));
  if (refunded === ZERO && paidBack === ZERO) return [];
  const [only] = dates;
  const taxes = order.refundedWithoutTax ? [] : [order.salesTax, order.marketplaceTax];
  const total = sum([order.amount, ...taxes]);
  const beside = [ZERO, order.notSold ?? ZERO, stateFeesOf(order)];
  const isWhole = beside.some((paid) => refunded === add(total, paid));
  const isAll = isWhole || refunded === add(total, CENT);
  if (only && dates.length === 1 && paidBack === refunded && isAll)
    return [mirrorOf(order, only, calendar, isWhole && refunded > total)];
  const { id: number, instant, origin } = order;
  const undated = { order: number, instant, amount: refunded, origin };
  const isDated = dates.length > 0 && paidBack === refunded;
  const differ = `${formatMoney(refunded)} was refunded, but the dated repayments come to ${formatMoney(paidBack)}`;
  const refunds = (dates.length === 0 ? [undated] : dates).map((date, index): Sale => {
    // The first repayment keeps its id when later ones are added.
    const id = index === 0 ? `${number}-refund` : `${number}-refund-${index + 1}`;
    const shares = divided(date.amount);
    const part = `${formatMoney(date.amount)} was refunded, and the export does not split it into goods, shipping and tax`;
    const more = `${formatMoney(date.amount)} was refunded, more than is left of the order`;
    const never = `${formatMoney(refunded)} was refunded, but no file says when`;
    const reason: SaleFinding =
      dates.length === 0
        ? { code: 'refund-undated', message: never }
        : !isDated
          ? { code: 'refund-dates-differ', message: differ }
          : shares
            ? { code: 'refund-not-split', message: part }
            : { code: 'refund-beyond-order', message: more };
    const refund: Sale = {
      ...refundOf(order, id, date.instant, calendar),
      amount: shares?.amount ?? date.amount,
      shipping: shares?.shipping ?? ZERO,
      salesTax: shares?.salesTax ?? ZERO,
      marketplaceTax: shares?.marketplaceTax ?? ZERO,
      taxLines: [],
      lines: [],
      outcome: 'review',
      findings: holding([reason]),
      origin: originOf(date, order),
    };
    if (!isDated || !shares || undivided(refund) === 'hold') return refund;
    const flag = { code: 'refund-prorated', message: `${part}: it is divided as its order is` };
    return {
      ...refund,
      lines: shares.lines,
      outcome: order.outcome === 'review' ? 'review' : 'warning',
      findings: [...order.findings, flag],
    };
  });
  const parts = refundedPartsOf(refunds, order);
  return refunds.map((refund, index) => ({ ...refund, ...(parts[index] && { partOf: parts[index] }) }));
};

/** A repayment whose order is in no export. It is shown, but cannot be posted. */
export const refundWithoutOrder = (
  channel: string,
  date: RefundDate,
  index: number,
  calendar: Calendar,
): Sale => ({
  key: saleKey(channel, 'refund', `${date.order}-refund-x${index}`),
  channel,
  kind: 'refund',
  id: `${date.order}-refund-x${index}`,
  reference: date.order,
  instant: date.instant,
  businessDate: calendar.dateAt(date.instant),
  taxDate: calendar.dateAt(date.instant),
  shipTo: NOWHERE,
  currency: 'USD',
  amount: date.amount,
  shipping: ZERO,
  salesTax: ZERO,
  marketplaceTax: ZERO,
  taxLines: [],
  exemptionType: null,
  customerId: null,
  lines: [],
  outcome: 'review',
  findings: holding([
    {
      code: 'refund-without-order',
      message: `${formatMoney(date.amount)} was refunded of an order that is not among those that could be read from the exports; it is not posted`,
    },
  ]),
  origin: date.origin,
  rows: 0,
});

/** A refund of a whole order, without what was paid beside the sale. */
const refundOf = (
  { notSold: _, stateFees: __, refundedWithoutTax: ___, ...order }: Sale,
  id: string,
  at: Instant,
  calendar: Calendar,
): Sale => ({
  ...order,
  key: saleKey(order.channel, 'refund', id),
  kind: 'refund',
  id,
  reference: order.id,
  instant: at,
  businessDate: calendar.dateAt(at),
  ...utcDateOfOrder(order),
  rows: 0,
});

/** @param isBeyond whether what was paid beside the sale was given back, too */
const mirrorOf = (order: Sale, date: RefundDate, calendar: Calendar, isBeyond: boolean): Sale => ({
  ...refundOf(order, `${order.id}-refund`, date.instant, calendar),
  ...(isBeyond && order.stateFees && { stateFees: order.stateFees }),
  origin: originOf(date, order),
});

/** The refund's position is in the companion file; its record name is the order's. */
const originOf = (date: RefundDate, order: Sale): Origin => ({ ...date.origin, record: order.origin.record });

/** The parts of an order, or of its unrefunded rest. */
type Parts = Readonly<Record<'goods' | 'shipping' | 'salesTax' | 'marketplaceTax' | 'notSold', Money>>;

/** A partial refund, divided like its order. */
type DividedRefund = Pick<Sale, 'amount' | 'shipping' | 'salesTax' | 'marketplaceTax' | 'lines'>;

/**
 * Return a function that divides the repayments of one order, one after another, into goods, shipping, tax and what was
 * paid beside the sale. Each takes its share of the unrefunded rest, to the cent by largest remainder, so that no part
 * is refunded beyond its amount, and repayments of the whole order add up to exactly its parts. `undefined` if a
 * repayment exceeds the rest by more than a cent. Where repayments leave out the tax, it goes back in their share.
 */
const refundDivider = (order: Sale): ((paidBack: Money) => DividedRefund | undefined) => {
  let left: Parts = {
    goods: subtract(order.amount, order.shipping),
    shipping: order.shipping,
    salesTax: order.salesTax,
    marketplaceTax: order.marketplaceTax,
    notSold: order.notSold ?? ZERO,
  };
  const goodsBefore = order.lines.map(() => ZERO);
  return (paidBack) => {
    const taxes = [left.salesTax, left.marketplaceTax];
    const sold = [left.goods, left.shipping, ...(order.refundedWithoutTax ? [] : taxes)];
    const rest = sum(sold);
    // A repayment of all that the buyer paid gives back what others paid, too.
    const isAll = left.notSold < ZERO && paidBack === add(rest, left.notSold);
    const given = isAll || paidBack === add(rest, CENT) ? rest : paidBack;
    // A repayment of exactly what is left of the sale leaves a tip with the shop.
    const parts = [...sold, given === rest || left.notSold < ZERO ? ZERO : left.notSold];
    if (given <= ZERO || parts.some((part) => part < ZERO) || given > sum(parts)) return undefined;
    const shared = allocate(given, parts);
    const [goods = ZERO, shipping = ZERO] = shared;
    const [salesTax = ZERO, marketplaceTax = ZERO] = order.refundedWithoutTax
      ? taxes.map(
          (tax) => allocate(tax, [add(goods, shipping), subtract(rest, add(goods, shipping))])[0] ?? ZERO,
        )
      : shared.slice(2);
    const notSold = shared.at(-1) ?? ZERO;
    left = {
      goods: subtract(left.goods, goods),
      shipping: subtract(left.shipping, shipping),
      salesTax: subtract(left.salesTax, salesTax),
      marketplaceTax: subtract(left.marketplaceTax, marketplaceTax),
      notSold: subtract(left.notSold, notSold),
    };
    const shares = lineShares(goods, order.lines, goodsBefore);
    for (const [index, share] of shares.entries())
      goodsBefore[index] = add(goodsBefore[index] ?? ZERO, share);
    return {
      amount: add(goods, shipping),
      shipping,
      salesTax,
      marketplaceTax,
      lines: order.lines.flatMap((line, index) => {
        const share = shares[index];
        return share ? pieceOf(line, share) : [];
      }),
    };
  };
};

/** Divide goods over what earlier repayments left of the lines of the order; of no lines, or free ones, nothing. */
const lineShares = (goods: Money, lines: readonly SaleLine[], before: readonly Money[]): readonly Money[] => {
  const left = lines.map((line, index) => Math.max(0, netOf(line) - priceOfMoney(before[index] ?? ZERO)));
  return goods === ZERO || left.every((net) => net === 0) ? [] : allocate(goods, left);
};

/** A share of a line becomes one piece of that price. */
const pieceOf = (line: SaleLine, share: Money): SaleLine => ({
  ...line,
  quantity: 1,
  unitPrice: priceOfMoney(share),
  discount: ZERO_PRICE,
});

/**
 * Returns the repayments of an order that its refunds with rows of their own do not tell already: each refund stands for
 * one repayment of its amount, and all of them for several that come to the same.
 *
 * @returns also what refunds give back for which no repayment was found
 */
export const repaymentsBeside = <Repayment extends { readonly amount: Money }>(
  repayments: readonly Repayment[],
  refunds: readonly Sale[],
): { readonly repayments: readonly Repayment[]; readonly unpaid: Money } => {
  const unpaid = refunds.map((refund) =>
    sum([refund.amount, refund.salesTax, refund.marketplaceTax, stateFeesOf(refund)]),
  );
  const left = repayments.filter(({ amount }) => {
    const position = unpaid.indexOf(amount);
    if (position !== -1) unpaid.splice(position, 1);
    return position === -1;
  });
  const isSame = sum(unpaid) === sum(left.map(({ amount }) => amount));
  return isSame || left.length === 0
    ? { repayments: [], unpaid: ZERO }
    : { repayments: left, unpaid: sum(unpaid) };
};

/** Repayments by the id of their order and by what tells them apart, so that each counts once. */
export type Repayments = Map<string, Map<string, CountedRepayment>>;

export const addRepayment = (to: Repayments, repayment: CountedRepayment): void => {
  const { order, instant, amount, copy, origin } = repayment;
  const own = to.get(order) ?? new Map<string, CountedRepayment>();
  to.set(order, own);
  const identity = `${instant} ${amount} ${copy}`;
  if (own.has(identity)) return;
  own.set(identity, { ...repayment, origin: { file: origin.file, line: origin.line, record: order } });
};

/** A repayment; equal ones of one instant are numbered within their file. */
export type CountedRepayment = RefundDate & { readonly copy: number };

/** Returns a function that numbers the repayments of one file. */
export const repaymentCounter = (): ((date: RefundDate) => CountedRepayment) => {
  const copies = new Map<string, number>();
  return (date) => {
    const identity = `${date.order} ${date.instant} ${date.amount}`;
    const copy = (copies.get(identity) ?? 0) + 1;
    copies.set(identity, copy);
    return { ...date, copy };
  };
};

/** Returns the repayments that the rows of an order tell. */
export const repaymentsOf = ({ sale, repayments = [] }: ReadSale): readonly CountedRepayment[] => {
  if (repayments.length === 0) return [];
  const counted = repaymentCounter();
  return repayments.map((repayment) => counted({ ...repayment, order: sale.id, origin: sale.origin }));
};

/** What refunds of an order gave back before another one. */
type Before = NonNullable<RefundedPart['before']>;

/**
 * Returns the parts of an order that its refunds with rows of their own give back, in the order in which they were paid.
 * Each knows what the posted ones before it gave back, unless one of these does not say which goods it gave back.
 */
export const refundedPartsOf = (
  refunds: readonly Sale[],
  order: Sale,
): readonly (RefundedPart | undefined)[] => {
  let before: Before | undefined = nothingBefore(order);
  return refunds.map((refund) => {
    const part = refundedPartOf(refund, order, before);
    if (postingOf(refund) === 'posted') before &&= withRefund(before, refund, order);
    return part;
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
  return { amount, shipping, lines, ...taxOfOrder(order), positions, ...(!isFirst && { before }) };
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
