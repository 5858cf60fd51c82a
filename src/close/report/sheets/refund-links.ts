import { ZERO } from '../../../kernel/money.ts';
import type { RefundLink } from '../../reconcile/refund-link.ts';
import { defineSheet } from '../../workbook/sheet.ts';
import { sourceOf } from './detail.ts';

/** The refunds of the period and the orders they belong to. */
export const REFUND_LINKS = defineSheet<RefundLink>({
  name: 'Refunds',
  table: 'Refund_links',
  title: 'Refunds: each refund and the order it belongs to',
  note: 'A refund counts in the period in which it was paid back, at the law of its order’s day. Tax relieved is zero while a refund is not posted; refunded and tax relieved are zero where a correction in these books reverses it.',
  freeze: { columns: 1 },
  columns: [
    { title: 'Refund', width: 18, format: 'id', value: ({ id }) => id },
    { title: 'Refund date', width: 12, format: 'date', value: ({ refundDate }) => refundDate },
    { title: 'State', width: 7, format: 'status', value: ({ state }) => state },
    { title: 'Order', width: 16, format: 'id', value: ({ order }) => order },
    {
      title: 'Order found',
      width: 10,
      format: 'yes-no',
      value: ({ isFound }) => isFound,
      flag: ({ isFound }) => (isFound ? undefined : 'attention'),
    },
    { title: 'Order date', width: 12, format: 'date', value: ({ orderDate }) => orderDate },
    { title: 'Age in days', width: 10, format: 'count', value: ({ ageDays }) => ageDays },
    { title: 'Order total', width: 14, format: 'money', value: ({ orderTotal }) => orderTotal },
    {
      title: 'Refunded',
      width: 14,
      format: 'money',
      value: ({ refunded, isReplaced }) => (isReplaced ? ZERO : refunded),
      total: 'sum',
      note: 'Goods, shipping and tax together.',
    },
    {
      title: 'Tax relieved',
      width: 14,
      format: 'money',
      value: ({ taxRelieved, isReplaced }) => (isReplaced ? ZERO : taxRelieved),
      total: 'sum',
    },
    {
      title: 'More than the order',
      width: 12,
      format: 'yes-no',
      value: ({ isOverRefund }) => isOverRefund,
      flag: ({ isOverRefund }) => (isOverRefund ? 'attention' : undefined),
    },
    { title: 'Posted', width: 9, format: 'yes-no', value: ({ isPosted }) => isPosted },
    { title: 'File and line', width: 36, format: 'text', value: sourceOf },
  ],
});
