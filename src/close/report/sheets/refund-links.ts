import { ZERO } from '../../../kernel/money.ts';
import type { RefundLink } from '../../reconcile/refund-link.ts';
import { defineSheet } from '../../workbook/sheet.ts';
import { count, day, id, money, summed, word, words, yesNo } from './columns.ts';
import { sourceOf } from './detail.ts';

/** The refunds of the period and the orders they belong to. */
export const REFUND_LINKS = defineSheet<RefundLink>({
  name: 'Refunds',
  table: 'Refund_links',
  title: 'Refunds: each refund and the order it belongs to',
  note: 'A refund counts in the period in which it was paid back, at the law of its order’s day.',
  freeze: { columns: 1 },
  columns: [
    id('Refund', 18, ({ id }) => id),
    day('Refund date', 12, ({ refundDate }) => refundDate),
    word('State', 7, ({ state }) => state),
    id('Order', 16, ({ order }) => order),
    yesNo('Order missing', 10, ({ isFound }) => !isFound || undefined, {
      flag: ({ isFound }) => (isFound ? undefined : 'attention'),
    }),
    day('Order date', 12, ({ orderDate }) => orderDate),
    count('Age in days', 10, ({ ageDays }) => ageDays),
    money('Order total', 14, ({ orderTotal }) => orderTotal),
    summed('Refunded', 14, ({ refunded, isReplaced }) => (isReplaced ? ZERO : refunded), {
      note: 'Goods, shipping and tax together.',
    }),
    summed('Tax relieved', 14, ({ taxRelieved, isReplaced }) => (isReplaced ? ZERO : taxRelieved)),
    yesNo('More than the order', 12, ({ isOverRefund }) => isOverRefund || undefined, {
      flag: ({ isOverRefund }) => (isOverRefund ? 'attention' : undefined),
    }),
    yesNo('Not posted', 9, ({ isPosted }) => !isPosted || undefined),
    words('File and line', 36, sourceOf),
  ],
});
