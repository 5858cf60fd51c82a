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
const linked = (refundCents: number, found = true, isPosted = true) => {
  const refund = {
    ...refundOf(order),
    businessDate: calendarDate('2026-03-02'),
    amount: money(refundCents),
    salesTax: money(0),
  };
  const repayment = repaymentOf(rowOf(refund, { isPosted, collected: money(-825) }), refund);
  return refundLink(repayment, { order: found ? order : undefined });
};

test('a refund is linked to its order with its day and total', () => {
  expect(linked(10_000)).toMatchObject({
    isFound: true,
    orderDate: '2026-02-27',
    orderTotal: 10_825,
    refunded: 10_000,
    taxRelieved: 825,
    isOverRefund: false,
  });
});

test.for([
  [10_000, false, 'all goods of the order'],
  [10_001, true, 'a cent more than its goods came to'],
] as const)('a refund of %i cents is more than its order: %s, as it is %s', ([cents, isOver]) => {
  expect(linked(cents).isOverRefund).toBe(isOver);
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

test('a refund without its order says so, and judges nothing', () => {
  expect(linked(10_000, false)).toMatchObject({ isFound: false, isOverRefund: false });
  expect(linked(10_000, false).orderTotal).toBeUndefined();
});

test('a refund of an order that is not counted as a sale is open', () => {
  const link = { ...linked(10_000, false), noSale: 'a quote is not a sale' };
  expect(findingsOfRefund(link)).toMatchObject([
    {
      severity: 'error',
      code: 'refund-of-ignored',
      message: '1001 is not counted as a sale (a quote is not a sale), and its refund is deducted',
    },
  ]);
});

test('a refund that is not posted relieves no tax', () => {
  expect(linked(10_000, true, false).taxRelieved).toBe(0);
});
