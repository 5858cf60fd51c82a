import { expect, test } from 'vitest';
import { refundLink, repaymentOf } from '../../../src/close/reconcile/refund-link.ts';
import { calendarDate } from '../../../src/kernel/calendar.ts';
import { money } from '../../../src/kernel/money.ts';
import { refundOf, saleOf } from '../sales/sale-of.ts';
import { rowOf } from './detail-rows.ts';

const order = saleOf({
  businessDate: calendarDate('2026-02-27'),
  amount: money(10_000),
  salesTax: money(825),
});
const linked = (refundCents: number, found = true, isPosted = true) => {
  const refund = {
    ...refundOf(order),
    businessDate: calendarDate('2026-03-02'),
    amount: money(refundCents),
    salesTax: money(0),
  };
  const repayment = repaymentOf(rowOf(refund, { isPosted, collected: money(-825) }), refund);
  return refundLink(repayment, found ? order : undefined);
};

test('a refund is linked to its order with its age in days', () => {
  expect(linked(10_000)).toMatchObject({
    isFound: true,
    orderDate: '2026-02-27',
    ageDays: 3,
    orderTotal: 10_825,
    refunded: 10_000,
    taxRelieved: 825,
    isOverRefund: false,
  });
});

test.for([
  [10_825, false, 'all of the order, tax included'],
  [10_826, true, 'a cent more than the order came to'],
] as const)('a refund of %i cents is more than its order: %s, as it is %s', ([cents, isOver]) => {
  expect(linked(cents).isOverRefund).toBe(isOver);
});

test('a refund without its order says so, and judges nothing', () => {
  expect(linked(10_000, false)).toMatchObject({ isFound: false, isOverRefund: false });
  expect(linked(10_000, false).orderTotal).toBeUndefined();
});

test('a refund that is not posted relieves no tax', () => {
  expect(linked(10_000, true, false).taxRelieved).toBe(0);
});
