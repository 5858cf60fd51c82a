import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instant } from '../../src/kernel/calendar.ts';
import { money } from '../../src/kernel/money.ts';
import { refundsOf } from '../../src/sales/refunds.ts';
import { postingOf, type RefundDate } from '../../src/sales/sale.ts';
import { LOS_ANGELES, readOrder, row } from './shopify-export.ts';

/** A repayment on a day of November 2026, at noon in UTC. */
const paid = (day: number, cents: number): RefundDate => ({
  order: '1001',
  instant: instant(Date.UTC(2026, 10, day, 12)),
  amount: money(cents),
  origin: { file: 'payments.csv', line: day + 1, record: '1001' },
});

const refundedOrder = (refunded: string) => readOrder(row({ 'Refunded Amount': refunded }));
const refunds = async (refunded: string, ...dates: readonly RefundDate[]) =>
  refundsOf(await refundedOrder(refunded), dates, LOS_ANGELES, () => 'hold');

describe('a full refund with a date', () => {
  test('is the mirror of its order, on its own day and at the rates of the order', async () => {
    const { sale: order } = await refundedOrder('119.50');
    const [refund, ...others] = await refunds('119.50', paid(3, 11_950));
    expect(others).toEqual([]);
    expect(refund).toEqual({
      ...order,
      key: 'shopify/refund/1001-refund',
      kind: 'refund',
      id: '1001-refund',
      reference: '1001',
      instant: Date.UTC(2026, 10, 3, 12),
      businessDate: '2026-11-03',
      taxDate: '2026-10-31',
      orderUtcDate: '2026-11-01',
      origin: { file: 'payments.csv', line: 4, record: '#1001' },
      rows: 0,
    });
    expect(refund && postingOf(refund)).toBe('posted');
  });

  test('of all that the buyer paid is of the whole order, also where others paid a part of it', async () => {
    const { sale: order } = await refundedOrder('0.00');
    const refundsOfPaid = (...cents: readonly number[]) =>
      refundsOf(
        { sale: { ...order, notSold: money(-200) }, refunded: money(11_750) },
        cents.map((each, index) => paid(3 + index, each)),
        LOS_ANGELES,
        () => 'prorate',
      );
    expect(refundsOfPaid(11_750)).toMatchObject([{ outcome: 'accepted', amount: 11_000, salesTax: 950 }]);
    expect(refundsOfPaid()).toMatchObject([{ outcome: 'review', amount: 11_000, salesTax: 950 }]);
    const parts = refundsOfPaid(5000, 6750);
    expect(parts).toMatchObject([
      { amount: 4602, salesTax: 398 },
      { amount: 6398, salesTax: 552 },
    ]);
  });

  test('of an order with a tip is whole with the tip and without it; the tip is in no refund', async () => {
    const { sale: order } = await refundedOrder('0.00');
    for (const cents of [11_950, 12_450]) {
      const tipped = { sale: { ...order, notSold: money(500) }, refunded: money(cents) };
      const [refund] = refundsOf(tipped, [paid(3, cents)], LOS_ANGELES, () => 'hold');
      expect(refund).toMatchObject({ outcome: 'accepted', amount: 11_000, salesTax: 950 });
      expect(refund).not.toHaveProperty('notSold');
    }
    const half = { sale: { ...order, notSold: money(500) }, refunded: money(6225) };
    expect(refundsOf(half, [paid(3, 6225)], LOS_ANGELES, () => 'prorate')).toMatchObject([
      { outcome: 'warning', amount: 5500, salesTax: 475 },
    ]);
  });

  test('of an order with two lines of the same goods is divided over both', async () => {
    const { sale: order } = await refundedOrder('0.00');
    const alike = { ...order, lines: [...order.lines, ...order.lines] };
    const [part] = refundsOf(
      { sale: alike, refunded: money(5975) },
      [paid(3, 5975)],
      LOS_ANGELES,
      () => 'prorate',
    );
    expect(part?.partOf?.positions).toEqual([0, 1]);
  });
});

const PARTS = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 8 });

test('a part that the policy divides adds up: parts that come to the whole order give back what it was made of, and none more than is left', async () => {
  const { sale: order } = await refundedOrder('119.50');
  const whole = order.amount + order.salesTax;
  fc.assert(
    fc.property(PARTS, (cuts) => {
      const at = [...new Set(cuts.map((cut) => cut % whole))].filter((cut) => cut > 0).sort((a, b) => a - b);
      const amounts = [...at, whole].map((end, index) => end - (at[index - 1] ?? 0));
      const dates = amounts.map((amount, index) => paid(index + 1, amount));
      const parts = refundsOf({ sale: order, refunded: money(whole) }, dates, LOS_ANGELES, () => 'prorate');
      // The ids of the first repayments never depend on the later ones.
      const earlier = refundsOf(
        { sale: order, refunded: money(whole) },
        dates.slice(0, -1),
        LOS_ANGELES,
        () => 'hold',
      );
      const ids = parts.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      if (dates.length > 1) expect(earlier.map(({ id }) => id)).toEqual(ids.slice(0, -1));
      const total = (pick: (one: (typeof parts)[number]) => number) =>
        parts.reduce((sum, one) => sum + pick(one), 0);
      expect([total((one) => one.amount), total((one) => one.salesTax)]).toEqual([
        order.amount,
        order.salesTax,
      ]);
      expect(total((one) => one.shipping)).toBe(order.shipping);
      for (const [index, { amount, shipping, salesTax, lines }] of parts.entries()) {
        expect(amount + salesTax).toBe(amounts[index]);
        expect(Math.min(amount, shipping, salesTax)).toBeGreaterThanOrEqual(0);
        if (parts.length > 1) {
          const goods = lines.reduce((sum, { unitPrice }) => sum + unitPrice, 0);
          expect(goods).toBe((amount - shipping) * 100);
        }
      }
    }),
  );
});
