import type { Instant } from '../kernel/calendar.ts';
import {
  add,
  allocate,
  formatMoney,
  type Money,
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
import { taxOfOrder, utcDateOfOrder } from './refunded-part.ts';
import {
  holding,
  type Origin,
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
type Undivided = 'hold' | 'prorate';

/**
 * Derive the refunds of an order whose export gives only the total refunded. A single dated repayment of the whole
 * total mirrors the order. Refunds without dates, or with dates that do not add up, need a review. So do partial
 * refunds that the export does not split into goods, shipping and tax, unless the policy divides them. Until then a
 * refund is shown in the proportions of its order, but is not filed.
 *
 * @param treated how to treat an undivided part, by the id and the day of the refund
 */
export const refundsOf = (
  { sale: order, refunded }: Pick<ReadSale, 'sale' | 'refunded'>,
  dates: readonly RefundDate[],
  calendar: Calendar,
  treated: (refund: Pick<Sale, 'channel' | 'id' | 'businessDate'>) => Undivided,
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
  return (dates.length === 0 ? [undated] : dates).map((date, index): Sale => {
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
      ...(shares?.amounts ?? undivided(date)),
      taxLines: [],
      lines: [],
      outcome: 'review',
      findings: holding([reason]),
      origin: originOf(date, order),
    };
    if (!isDated || !shares || treated(refund) === 'hold') return refund;
    const flag = { code: 'refund-prorated', message: `${part}: it is divided as its order is` };
    return {
      ...refund,
      lines: shares.lines,
      partOf: shares.partOf,
      outcome: order.outcome === 'review' ? 'review' : 'warning',
      findings: [...order.findings, flag],
    };
  });
};

/** An amount that was given back, of which nothing says what it was for. */
const undivided = ({ amount }: Pick<RefundDate, 'amount'>) => ({
  amount,
  shipping: ZERO,
  salesTax: ZERO,
  marketplaceTax: ZERO,
});

/** A repayment whose order is in no export. It is shown, but cannot be posted. */
export const refundWithoutOrder = (
  channel: string,
  date: RefundDate,
  index: number,
  calendar: Calendar,
): Sale => {
  const id = `${date.order}-refund-x${index}`;
  const day = calendar.dateAt(date.instant);
  const message = `${formatMoney(date.amount)} was refunded of an order that is not among those that could be read from the exports; it is not posted`;
  return {
    key: saleKey(channel, 'refund', id),
    channel,
    kind: 'refund',
    id,
    reference: date.order,
    instant: date.instant,
    businessDate: day,
    taxDate: day,
    shipTo: NOWHERE,
    currency: 'USD',
    ...undivided(date),
    taxLines: [],
    exemptionType: null,
    customerId: null,
    lines: [],
    outcome: 'review',
    findings: holding([{ code: 'refund-without-order', message }]),
    origin: date.origin,
    rows: 0,
  };
};

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
type DividedRefund = {
  readonly amounts: Pick<Sale, 'amount' | 'shipping' | 'salesTax' | 'marketplaceTax'>;
  readonly lines: Sale['lines'];
  readonly partOf: RefundedPart;
};

/**
 * Return a function that divides the repayments of one order, one after another, into goods, shipping, tax and what was
 * paid beside the sale. Each takes its share of the unrefunded rest, to the cent by largest remainder, so that no part
 * is refunded beyond its amount, and repayments of the whole order add up to exactly its parts. `undefined` if a
 * repayment exceeds the rest by more than a cent. Where repayments leave out the tax, it goes back in their share.
 */
const refundDivider = (order: Sale): ((paidBack: Money) => DividedRefund | undefined) => {
  const soldGoods = subtract(order.amount, order.shipping);
  let left: Parts = {
    goods: soldGoods,
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
    const before = {
      shipping: subtract(order.shipping, left.shipping),
      salesTax: subtract(order.salesTax, left.salesTax),
      goods: order.lines.length === 0 ? [subtract(soldGoods, left.goods)] : [...goodsBefore],
    };
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
    const positions = order.lines.flatMap((_, index) => (shares[index] ? [index] : []));
    return {
      amounts: { amount: add(goods, shipping), shipping, salesTax, marketplaceTax },
      lines: positions.map((position) =>
        pieceOf(order.lines[position] as SaleLine, shares[position] as Money),
      ),
      partOf: {
        amount: order.amount,
        shipping: order.shipping,
        lines: order.lines,
        ...taxOfOrder(order),
        positions,
        before,
      },
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
): {
  readonly repayments: readonly Repayment[];
  readonly unpaid: Money;
} => {
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
