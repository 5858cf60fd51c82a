import { type CalendarDate, calendarDate, daysFrom } from '../../kernel/calendar.ts';
import type { Money } from '../../kernel/money.ts';
import { add, negate, ZERO } from '../../kernel/money.ts';
import type { Sale } from '../sales/sale.ts';
import type { DetailRow } from './detail-row.ts';

/** A refund of the period with its order. Amounts are positive. */
export type RefundLink = {
  readonly id: string;
  /** The record's name in the source. */
  readonly record: string;
  readonly state: string;
  readonly refundDate: CalendarDate;
  readonly order: string;
  /** Whether the order is in any of the exports. */
  readonly isFound: boolean;
  readonly orderDate: CalendarDate | undefined;
  /** Days between the order and its refund. */
  readonly ageDays: number | undefined;
  readonly refunded: Money;
  readonly taxRelieved: Money;
  /** Total of the order, including tax. */
  readonly orderTotal: Money | undefined;
  /** Whether this refund alone exceeds the total of the order. */
  readonly isOverRefund: boolean;
  readonly isPosted: boolean;
  readonly file: string;
  readonly line: number;
};

/** The part of a link that comes from the order. */
export type RefundedOrder = Pick<Sale, 'businessDate' | 'amount' | 'salesTax'>;

/** The part of a link that comes from the refund. */
export type Repayment = Omit<
  RefundLink,
  'isFound' | 'orderDate' | 'ageDays' | 'orderTotal' | 'isOverRefund'
> & { readonly channel: string };

export const repaymentOf = (row: DetailRow, refund: Sale): Repayment => ({
  channel: row.channel,
  id: row.id,
  record: row.record,
  state: row.state,
  refundDate: row.businessDate,
  order: row.reference,
  refunded: add(refund.amount, refund.salesTax),
  taxRelieved: row.isPosted ? negate(row.collected) : ZERO,
  isPosted: row.isPosted,
  file: row.file,
  line: row.line,
});

export const refundLink = (
  { channel: _, ...repayment }: Repayment,
  order: RefundedOrder | undefined,
): RefundLink => {
  const orderTotal = order && add(order.amount, order.salesTax);
  return {
    ...repayment,
    isFound: order !== undefined,
    orderDate: order && calendarDate(order.businessDate),
    ageDays: order && daysFrom(order.businessDate, repayment.refundDate),
    orderTotal,
    isOverRefund: orderTotal !== undefined && repayment.refunded > orderTotal,
  };
};
