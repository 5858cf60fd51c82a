import { type CalendarDate, calendarDate, daysFrom } from '../../kernel/calendar.ts';
import type { Money } from '../../kernel/money.ts';
import { add, negate, ZERO } from '../../kernel/money.ts';
import type { Sale } from '../sales/sale.ts';
import type { DetailRow } from './detail-row.ts';

/** A refund of the period with the order it gives money back for. Amounts are positive. */
export type RefundLink = {
  readonly id: string;
  /** As the source names it. */
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
  /** What the order came to, tax included. */
  readonly orderTotal: Money | undefined;
  /** Whether this refund alone gives back more than the order came to. */
  readonly isOverRefund: boolean;
  readonly isPosted: boolean;
  readonly file: string;
  readonly line: number;
};

/** What a link says of the order of a refund. */
export type RefundedOrder = Pick<Sale, 'businessDate' | 'amount' | 'salesTax'>;

/** What a link says of the refund alone. */
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
