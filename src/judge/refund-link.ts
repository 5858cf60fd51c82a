import { type CalendarDate, calendarDate } from '../kernel/calendar.ts';
import {
  add,
  addRow,
  atLeastZero,
  formatMoney,
  lesser,
  type Money,
  money,
  negate,
  subtract,
  sum,
  ZERO,
} from '../kernel/money.ts';
import { type Posting, postingOf, type Sale } from '../sales/sale.ts';
import { entryOf, type Replacements, saleKey } from '../sales/sale-name.ts';
import { type DetailLine, type DetailRow, varianceOf } from './detail-row.ts';
import { type Finding, finding } from './finding.ts';
import { partOf, REASONS, type ReasonCode } from './reason.ts';

/** A refund of the period. Amounts are positive. */
export type Repayment = {
  readonly channel: string;
  readonly id: string;
  /** The record's name in the source. */
  readonly record: string;
  readonly state: string;
  readonly refundDate: CalendarDate;
  readonly order: string;
  readonly refunded: Money;
  /** The part of it without tax. */
  readonly amount: Money;
  readonly taxRelieved: Money;
  readonly isPosted: boolean;
  readonly file: string;
  readonly line: number;
};

/** A refund of the period with its order. Amounts are positive. */
export type RefundLink = Repayment & {
  /** Why the order is not counted, in the exports or in the books, if it is not. */
  readonly notCounted: string | undefined;
  readonly orderDate: CalendarDate | undefined;
  /** Total of the order, including tax; absent if the order is in none of the exports. */
  readonly orderTotal: Money | undefined;
  /** What this refund and the posted ones of its order before it give back, and the part without tax. */
  readonly refundedSoFar: Money;
  readonly amountSoFar: Money;
  /** Whether that exceeds the total of the order, or its part without tax that of the order. */
  readonly isOverRefund: boolean;
  /** Whether more than goods and shipping of the order are refunded, so that more is deducted than was sold. */
  readonly isBeyondAmount: boolean;
  /** Set where a correction in the same books reverses it: it gives nothing back any more. */
  readonly isReplaced?: true;
};

/** The part of a link that comes from the order. */
export type RefundedOrder = Pick<Sale, 'businessDate' | 'amount' | 'salesTax'> & {
  readonly keptOut?: Exclude<Posting, 'posted'>;
};

export const refundedOrderOf = (order: Sale): RefundedOrder => {
  const { businessDate, amount, salesTax } = order;
  const posting = postingOf(order);
  return { businessDate, amount, salesTax, ...(posting !== 'posted' && { keptOut: posting }) };
};

/** The order of a refund as the exports have it, or why they do not count it as a sale. */
export type FoundOrder = {
  readonly order?: RefundedOrder | undefined;
  readonly noSale?: string | undefined;
};

/** What the refunds of an order come to, and the part without tax. */
export type GivenBack = Pick<RefundLink, 'refundedSoFar' | 'amountSoFar'>;

export const withRefund = (
  before: GivenBack | undefined,
  { amount, salesTax }: Pick<Sale, 'amount' | 'salesTax'>,
): GivenBack => ({
  refundedSoFar: sum([before?.refundedSoFar ?? ZERO, amount, salesTax]),
  amountSoFar: add(before?.amountSoFar ?? ZERO, amount),
});

export const repaymentOf = (row: DetailRow, refund: Sale): Repayment => ({
  channel: row.channel,
  id: row.id,
  record: row.record,
  state: row.state,
  refundDate: row.businessDate,
  order: row.reference,
  refunded: add(refund.amount, refund.salesTax),
  amount: refund.amount,
  taxRelieved: row.isPosted ? negate(row.collected) : ZERO,
  isPosted: row.isPosted,
  file: row.file,
  line: row.line,
});

/**
 * @param found the order, or why it is not counted as a sale
 * @param before what posted refunds of the same order gave back before it
 */
export const refundLink = (
  repayment: Repayment,
  { order, noSale }: FoundOrder,
  before?: GivenBack,
): RefundLink => {
  const refundedSoFar = add(before?.refundedSoFar ?? ZERO, repayment.refunded);
  const amountSoFar = add(before?.amountSoFar ?? ZERO, repayment.amount);
  const orderTotal = order && add(order.amount, order.salesTax);
  const isBeyondAmount = order !== undefined && amountSoFar > order.amount;
  return {
    ...repayment,
    notCounted: noSale ?? order?.keptOut,
    orderDate: order && calendarDate(order.businessDate),
    orderTotal,
    refundedSoFar,
    amountSoFar,
    isOverRefund: isBeyondAmount || (orderTotal !== undefined && refundedSoFar > orderTotal),
    isBeyondAmount,
  };
};

/** Returns the key of the order of a refund. */
export const orderKeyOf = ({ channel, order }: Pick<Repayment, 'channel' | 'order'>): string =>
  saleKey(channel, 'order', order);

/**
 * Yields each refund with its order, and what the refunds of the order come to.
 *
 * @param orderOf returns an order by its key, with what posted refunds of it gave back before the period
 */
export function* refundLinks(
  refunds: Iterable<readonly Repayment[]>,
  orderOf: (key: string) => FoundOrder & { readonly before?: GivenBack },
  replaced: Replacements,
): Generator<readonly RefundLink[]> {
  const givenBack = new Map<string, GivenBack>();
  const linkOf = (refund: Repayment): RefundLink => {
    const key = orderKeyOf(refund);
    const found = orderOf(key);
    if (replaced.isReplaced(entryOf({ ...refund, kind: 'refund' })))
      return { ...refundLink(refund, found), isOverRefund: false, isBeyondAmount: false, isReplaced: true };
    const link = refundLink(refund, found, givenBack.get(key) ?? found.before);
    if (refund.isPosted) {
      const { refundedSoFar, amountSoFar } = link;
      givenBack.set(key, { refundedSoFar, amountSoFar });
    }
    return link;
  };
  for (const batch of refunds) yield batch.map(linkOf);
}

/** Tax that a period gave back in a state for sales of earlier periods, or for unknown ones. Negative. */
export type EarlierTax = Pick<RefundLink, 'state'> & { readonly tax: Money };

/**
 * Sums that tax, all corrections before the refunds: it takes nothing from what customers of the period are owed. The versions
 * of an order and its refunds are one amount.
 */
export const earlierTaxGivenBack = ({ first }: { readonly first: CalendarDate }) => {
  const taxes = new Map<string, EarlierTax>();
  return {
    /** Adds a row that is of an earlier period, or corrects a filed record. */
    seeRow: ({ state, collected: tax, ...row }: DetailLine): void => {
      const { of, number } = entryOf(row);
      if (row.isPosted && (number > 0 || row.businessDate < first))
        addRow(taxes, `${state} ${of}`, { state, tax }, ['tax']);
    },
    /** Adds a refund of the period. One that is late is a row, too, and counts as that. */
    see: ({ channel, id, order, state, refundDate, orderDate, taxRelieved }: RefundLink): void => {
      const own = entryOf({ channel, id, kind: 'refund' });
      if (own.number > 0 || refundDate < first || (orderDate !== undefined && orderDate >= first)) return;
      const { of } = entryOf({ channel, id: order, kind: 'order' });
      // What is corrected itself counts with its correction, else with its order where that is.
      const keys = [own.of, of].map((record) => `${state} ${record}`);
      addRow(
        taxes,
        keys.find((key) => taxes.has(key)) ?? (keys[0] as string),
        { state, tax: negate(taxRelieved) },
        ['tax'],
      );
    },
    all: (): readonly EarlierTax[] => {
      const given = new Map<string, EarlierTax>();
      for (const each of taxes.values()) if (each.tax < ZERO) addRow(given, each.state, each, ['tax']);
      return [...given.values()];
    },
  };
};

/** The exceptions of a posted refund that no correction reverses: its order is missing, not counted, or less than the refund. */
export const findingsOfRefund = (link: RefundLink): readonly Finding[] => {
  if (!link.isPosted || link.isReplaced) return [];
  const at = {
    origin: { file: link.file, line: link.line, record: link.record },
    record: link.id,
    state: link.state,
    effect: negate(link.taxRelieved),
  } as const;
  if (link.notCounted !== undefined) {
    const message = `${link.order} is not counted (${link.notCounted}), and its refund is deducted`;
    return [finding('refund-of-kept-out', message, at)];
  }
  const { orderTotal } = link;
  if (orderTotal === undefined) {
    const message = `${REASONS.R14.name}: ${link.order || 'its order'} is not among the orders that could be read from the exports; it is posted as it stands, at the law of its own day`;
    return [finding('R14', message, { ...at, severity: 'warning' })];
  }
  if (!link.isOverRefund) return [];
  const [refunded, total] = [formatMoney(link.refunded), formatMoney(orderTotal)];
  const message = `${link.order} came to ${total}, and with this refund of ${refunded} its refunds come to ${formatMoney(link.refundedSoFar)}`;
  // What is no more than tax is a variance of the refund, too.
  const excess = subtract(link.refundedSoFar, orderTotal);
  const ofTax = { severity: 'warning', effect: money(-Math.min(excess, link.taxRelieved)) } as const;
  return [finding('over-refund', message, { ...at, ...(!link.isBeyondAmount && ofTax) })];
};

/** Tax that a refund, or a correction of a filed record, gave back beyond what was due; negative for less. */
export type BeyondDue = {
  readonly state: string;
  /** The key of the refund, or of the record that was corrected. */
  readonly record: string;
  /** The key of its order; empty where it names none. */
  readonly order: string;
  readonly tax: Money;
  /** The day of a filed record that was taken back. */
  readonly soldOn?: CalendarDate;
};

/**
 * Returns what a posted refund or correction gave back beyond the tax due; negative where less was given back because its
 * order was charged too little, zero where a marketplace remits the tax. Tax under rates that the tax content lacks is not
 * beyond it: every return takes it off as it was given back. What a refund left of the tax that its order was charged is not
 * less than was due: the customer paid it.
 */
export const givenBackBeyond = (row: DetailRow, { exemptionType }: Sale, isCorrection: boolean): Money => {
  if (!row.isPosted || exemptionType === 'marketplace') return ZERO;
  const { gap: gaps = [], other: others = [] } = Object.groupBy(row.reasons, ({ code }) =>
    partOf(code) === 'gap' ? 'gap' : 'other',
  );
  const beyond = negate(subtract(varianceOf(row), sum(gaps.map(({ amount }) => amount))));
  if (isCorrection || beyond >= ZERO) return beyond;
  const ofOrder = others.filter(({ code }) => !NOT_THE_ORDER.has(code));
  return negate(lesser(negate(beyond), sum(ofOrder.map(({ amount }) => atLeastZero(amount)))));
};

/** Reasons of a refund alone: rounding, the rate of its own day, and tax that was charged and not given back. */
const NOT_THE_ORDER: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['R01', 'R13', 'R29']);
