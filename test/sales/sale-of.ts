import * as fc from 'fast-check';
import { calendarDate, instant } from '../../src/kernel/calendar.ts';
import { add, money, price } from '../../src/kernel/money.ts';
import { netOf } from '../../src/sales/read-lines.ts';
import type { Place, Sale, SaleLine } from '../../src/sales/sale.ts';
import { anyOrderAmount } from '../support/arbitraries.ts';

export const SHIP_FROM: Place = {
  country: 'US',
  state: 'CA',
  zip: '95814',
  city: 'Sacramento',
  street: '1201 K Street',
};

export const LINE: SaleLine = {
  id: '1',
  sku: 'APP-1',
  description: 'Field jacket',
  quantity: 2,
  unitPrice: price(500_000),
  discount: price(0),
  taxCode: '20010',
};

/** An order of the last evening of October: 100.00 goods, 10.00 shipping, 9.50 tax; with some of it changed. */
export const saleOf = (changes: Partial<Sale> = {}): Sale => ({
  key: 'shopify/order/1001',
  channel: 'shopify',
  kind: 'order',
  id: '1001',
  reference: null,
  instant: instant(Date.UTC(2026, 10, 1, 6, 30)),
  businessDate: calendarDate('2026-10-31'),
  taxDate: calendarDate('2026-10-31'),
  shipTo: { country: 'US', state: 'CA', zip: '90012', city: 'Los Angeles', street: '200 N Spring St' },
  currency: 'USD',
  amount: money(11_000),
  shipping: money(1_000),
  salesTax: money(950),
  marketplaceTax: money(0),
  taxLines: [],
  exemptionType: null,
  customerId: null,
  lines: [LINE],
  outcome: 'accepted',
  findings: [],
  origin: { file: 'orders_export.csv', line: 2, record: '#1001' },
  rows: 1,
  ...changes,
});

/** The same sale given back two days later. */
export const refundOf = (order: Sale): Sale => ({
  ...order,
  key: 'shopify/refund/1001-refund',
  kind: 'refund',
  id: '1001-refund',
  reference: order.id,
  instant: instant(Date.UTC(2026, 10, 3, 12)),
  businessDate: calendarDate('2026-11-03'),
});

const anyLine: fc.Arbitrary<SaleLine> = fc
  .record({
    unit: fc.nat({ max: 500_000 }),
    quantity: fc.integer({ min: 1, max: 20 }),
    percentOff: fc.nat({ max: 100 }),
    taxCode: fc.constantFrom(null, '20010', '40030'),
  })
  .map(({ unit, quantity, percentOff, taxCode }) => ({
    ...LINE,
    quantity,
    taxCode,
    unitPrice: price(unit * 100),
    discount: price(Math.floor((unit * quantity * percentOff) / 100) * 100),
  }));

/** Orders and refunds that may be posted: every line comes to whole cents, and the lines to the goods. */
export const anySale: fc.Arbitrary<Sale> = fc
  .record({
    lines: fc.array(anyLine, { minLength: 1, maxLength: 8 }),
    shipping: anyOrderAmount,
    salesTax: anyOrderAmount,
    isRefund: fc.boolean(),
  })
  .map(({ lines, shipping, salesTax, isRefund }) => {
    const goods = money(lines.reduce((total, line) => total + netOf(line), 0) / 100);
    const numbered = lines.map((line, index) => ({ ...line, id: String(index + 1) }));
    const order = saleOf({ lines: numbered, shipping, salesTax, amount: add(goods, shipping) });
    return isRefund ? refundOf(order) : order;
  });
