import { allocate } from '../../kernel/allocate.ts';
import type { Instant, zoneCalendar } from '../../kernel/calendar.ts';
import type { Origin } from '../../kernel/finding.ts';
import { add, formatMoney, type Money, subtract, sum, ZERO } from '../../kernel/money.ts';
import { priceOfMoney, ZERO_PRICE } from '../../kernel/price.ts';
import { netOf } from './read-lines.ts';
import type { ReadOrder } from './read-sale.ts';
import type { Place, Sale, SaleFinding, SaleLine } from './sale.ts';

/** One dated repayment from a companion file. The amount is positive and includes the tax. */
export type RefundDate = {
  readonly order: string;
  readonly instant: Instant;
  readonly amount: Money;
  readonly origin: Origin;
};

type Calendar = ReturnType<typeof zoneCalendar>;

const NOWHERE: Place = { country: '', state: '', zip: '', city: '', street: '' };

/** What becomes of a dated part that no one divided: a person looks at it, or it is divided as its order is. */
export type Undivided = 'hold' | 'prorate';

/**
 * The refunds of an order whose export tells only how much was given back in all. A single dated repayment of the
 * whole total is the mirror of its order. What has no date, or dates that do not add up, needs a person, and so does
 * a part whose split into goods, shipping and tax no one wrote down, unless the policy divides it. Until then a
 * refund is shown with the shares of its order, which nothing is filed from.
 *
 * @param undivided what becomes of a part that no one divided, by the id of the refund
 */
export const refundsOf = (
  { order, refunded }: ReadOrder,
  dates: readonly RefundDate[],
  calendar: Calendar,
  undivided: (refund: string) => Undivided,
): readonly Sale[] => {
  const divided = refundDivider(order);
  const paidBack = sum(dates.map(({ amount }) => amount));
  if (refunded === ZERO && paidBack === ZERO) return [];
  if (dates.length === 0) {
    const message = `${formatMoney(refunded)} was refunded, but no file says when`;
    return [
      reviewed(
        order,
        `${order.id}-refund`,
        order.instant,
        { paidBack: refunded, shares: divided(refunded) },
        { code: 'refund-undated', message },
        calendar,
      ),
    ];
  }
  const [only] = dates;
  const total = sum([order.amount, order.salesTax, order.marketplaceTax]);
  if (only && dates.length === 1 && paidBack === refunded && refunded === total) {
    return [mirrorOf(order, only, calendar)];
  }
  const isWhole = paidBack === refunded;
  const differ = `${formatMoney(refunded)} was refunded, but the dated repayments come to ${formatMoney(paidBack)}`;
  return dates.map((date, index) => {
    // The first repayment keeps its id when later ones join it.
    const id = index === 0 ? `${order.id}-refund` : `${order.id}-refund-${index + 1}`;
    const shares = divided(date.amount);
    const part = `${formatMoney(date.amount)} was refunded, and the export does not split it into goods, shipping and tax`;
    const reason: SaleFinding = isWhole
      ? { code: 'refund-not-split', message: part }
      : { code: 'refund-dates-differ', message: differ };
    const held = reviewed(order, id, date.instant, { paidBack: date.amount, shares }, reason, calendar);
    const refund = { ...held, origin: originOf(date, order) };
    if (!isWhole || !shares || undivided(id) === 'hold') return refund;
    const flag = { code: 'refund-prorated', message: `${part}: it is divided as its order is` };
    return {
      ...refund,
      lines: shares.lines,
      outcome: order.outcome === 'review' ? 'review' : 'warning',
      findings: [...order.findings, flag],
    };
  });
};

/** The id of the order from which a refund of this id followed. */
export const orderOfRefund = (id: string): string => id.replace(/-refund(-\d+)?$/, '');

/** A repayment whose order is in none of the exports. It is shown, and it cannot be posted. */
export const refundWithoutOrder = (
  channel: string,
  date: RefundDate,
  index: number,
  calendar: Calendar,
): Sale => ({
  key: `${channel}/refund/${date.order}-refund-x${index}`,
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
  findings: [
    {
      code: 'refund-without-order',
      message: `${formatMoney(date.amount)} was refunded of an order that is not among those that could be read from the exports; it is not posted`,
    },
  ],
  origin: date.origin,
  rows: 0,
});

const mirrorOf = (order: Sale, date: RefundDate, calendar: Calendar): Sale => ({
  ...order,
  key: `${order.channel}/refund/${order.id}-refund`,
  kind: 'refund',
  id: `${order.id}-refund`,
  reference: order.id,
  instant: date.instant,
  businessDate: calendar.dateAt(date.instant),
  origin: originOf(date, order),
  rows: 0,
});

/** A refund stands in the companion file, and is called as its order is. */
const originOf = (date: RefundDate, order: Sale): Origin => ({ ...date.origin, record: order.origin.record });

const reviewed = (
  order: Sale,
  id: string,
  at: Instant,
  { paidBack, shares }: { readonly paidBack: Money; readonly shares: DividedRefund | undefined },
  reason: SaleFinding,
  calendar: Calendar,
): Sale => ({
  ...order,
  key: `${order.channel}/refund/${id}`,
  kind: 'refund',
  id,
  reference: order.id,
  instant: at,
  businessDate: calendar.dateAt(at),
  amount: shares?.amount ?? paidBack,
  shipping: shares?.shipping ?? ZERO,
  salesTax: shares?.salesTax ?? ZERO,
  marketplaceTax: shares?.marketplaceTax ?? ZERO,
  taxLines: [],
  lines: [],
  outcome: 'review',
  findings: [reason],
  rows: 0,
});

/** What an order, or what is left of it after refunds, is made of. */
type Parts = Readonly<Record<'goods' | 'shipping' | 'salesTax' | 'marketplaceTax', Money>>;

/** A part of an order that was given back, divided as the order is. */
type DividedRefund = Pick<Sale, 'amount' | 'shipping' | 'salesTax' | 'marketplaceTax' | 'lines'>;

/**
 * Divides repayments of one order, in their order, into goods, shipping and tax. Each takes its share of what is left
 * of the order, to the cent by largest remainder: no part is ever given back beyond what it was, and repayments
 * that come to the whole order give back exactly what it was made of. `undefined` for what is more than is left.
 */
const refundDivider = (order: Sale): ((paidBack: Money) => DividedRefund | undefined) => {
  let left: Parts = {
    goods: subtract(order.amount, order.shipping),
    shipping: order.shipping,
    salesTax: order.salesTax,
    marketplaceTax: order.marketplaceTax,
  };
  return (paidBack) => {
    const parts = [left.goods, left.shipping, left.salesTax, left.marketplaceTax];
    if (paidBack <= ZERO || parts.some((part) => part < ZERO) || paidBack > sum(parts)) return undefined;
    const [goods = ZERO, shipping = ZERO, salesTax = ZERO, marketplaceTax = ZERO] = allocate(paidBack, parts);
    left = {
      goods: subtract(left.goods, goods),
      shipping: subtract(left.shipping, shipping),
      salesTax: subtract(left.salesTax, salesTax),
      marketplaceTax: subtract(left.marketplaceTax, marketplaceTax),
    };
    const lines = linesFor(goods, order.lines);
    return { amount: add(goods, shipping), shipping, salesTax, marketplaceTax, lines };
  };
};

/** The lines of the order with their shares: a part of several pieces is one piece of that size. */
const linesFor = (goods: Money, lines: readonly SaleLine[]): readonly SaleLine[] => {
  const nets = lines.map((line) => Math.max(0, netOf(line)));
  if (goods === ZERO || nets.every((net) => net === 0)) return [];
  return allocate(goods, nets).flatMap((share, index) => {
    const line = lines[index];
    if (!line || share === ZERO) return [];
    return [{ ...line, quantity: 1, unitPrice: priceOfMoney(share), discount: ZERO_PRICE }];
  });
};
