import { expect, test } from 'vitest';
import { findingsOfRefund, refundLink, repaymentOf } from '../../src/judge/refund-link.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { money } from '../../src/kernel/money.ts';
import { refundOf, saleOf } from '../sales/sale-of.ts';
import { rowOf } from './detail-rows.ts';

const order = saleOf({
  businessDate: calendarDate('2026-02-27'),
  amount: money(10_000),
  salesTax: money(825),
});

test.for([
  [10_000, 1, undefined, 'one that gives back all goods'],
  [10_001, 1, 'error', 'one of a cent more'],
  [6_000, 2, 'error', 'two that come to more'],
  [5_000, 2, undefined, 'two that come to all of them'],
] as const)(
  'goods refunded beyond the order keep the month open: %i cents, %i times',
  ([cents, times, severity]) => {
    const { amount, salesTax } = order;
    const goods = (before?: ReturnType<typeof refundLink>) =>
      refundLink(
        {
          ...repaymentOf(rowOf(refundOf(order), {}), refundOf(order)),
          amount: money(cents),
          refunded: money(cents + 825),
        },
        { order: { ...order, amount, salesTax: money(2 * salesTax) } },
        before,
      );
    const first = goods();
    const last = times === 1 ? first : goods(first);
    expect(findingsOfRefund({ ...last, isPosted: true })[0]?.severity).toBe(severity);
  },
);

test('tax refunded beyond the order has the effect of what is too much', () => {
  const refund = { ...refundOf(order), amount: order.amount, salesTax: money(1114) };
  const row = rowOf(refund, { isPosted: true, collected: money(-1114) });
  const link = refundLink(repaymentOf(row, refund), { order });
  expect(findingsOfRefund(link)).toMatchObject([{ severity: 'warning', code: 'over-refund', effect: -289 }]);
});

test('a refund of an order that is not counted as a sale is open', () => {
  const repayment = repaymentOf(rowOf(refundOf(order), {}), refundOf(order));
  const link = refundLink(repayment, { noSale: 'a quote is not a sale' });
  expect(findingsOfRefund({ ...link, isPosted: true })).toMatchObject([
    {
      severity: 'error',
      code: 'refund-of-ignored',
      message: '1001 is not counted as a sale (a quote is not a sale), and its refund is deducted',
    },
  ]);
});
