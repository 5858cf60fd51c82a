import * as fc from 'fast-check';
import { loadContent } from '../../src/content/load-content.ts';
import { accept } from '../../src/contract/accept.ts';
import { TaxRequest } from '../../src/contract/tax-request.ts';
import { calculateTax } from '../../src/engine/calculate-tax.ts';
import { calendarDate, instant } from '../../src/kernel/calendar.ts';
import { money, moneyOfPrice, price } from '../../src/kernel/money.ts';
import { zoneCalendar } from '../../src/kernel/time-zones.ts';
import { refundsOf } from '../../src/sales/refunds.ts';
import type { Place, RefundDate, Sale, SaleLine } from '../../src/sales/sale.ts';
import { taxRequestOf } from '../../src/sales/service-records.ts';
import { LINE, SHIP_FROM, saleOf } from '../sales/sale-of.ts';

const content = loadContent();

/** The answer of the service to the request of a sale. */
export const answerTo = (sale: Sale) =>
  calculateTax({
    request: accept(TaxRequest, {
      ...taxRequestOf(sale, SHIP_FROM),
      nexus_addresses: [{ id: '1', ...sale.shipTo }],
    }),
    seller: { nexus: [] },
    content,
    asOf: calendarDate('2026-10-31'),
  });

export const PLACES: readonly Place[] = [
  ['NY', '10001', 'New York'],
  ['MA', '02108', 'Boston'],
  ['PA', '15222', 'Pittsburgh'],
  ['TN', '37203', 'Nashville'],
  ['FL', '33101', 'Miami'],
  ['CA', '90012', 'Los Angeles'],
].map(([state = '', zip = '', city = '']) => ({ country: 'US', state, zip, city, street: '' }));

const anyLines: fc.Arbitrary<readonly SaleLine[]> = fc.array(
  fc
    .record({
      quantity: fc.integer({ min: 1, max: 3 }),
      unitPrice: fc.integer({ min: 1, max: 30_000 }).map((cents) => price(cents * 100)),
      taxCode: fc.constantFrom(null, '20010', '40030'),
    })
    .map((line) => ({ ...LINE, ...line })),
  { maxLength: 4 },
);

/** An order with its own tax, at a place where a limit, a cap or a rule for shipping looks at the whole of it. */
export const anyOrder: fc.Arbitrary<Sale> = fc
  .record({ lines: anyLines, shipTo: fc.constantFrom(...PLACES), shipping: fc.nat({ max: 2500 }) })
  .map(({ lines, shipTo, shipping }) => {
    const goods = lines.reduce((total, line) => total + line.unitPrice * line.quantity, 0);
    const order = saleOf({
      lines: lines.map((line, index) => ({ ...line, id: String(index + 1), sku: `S-${index}` })),
      shipTo,
      shipping: money(shipping),
      amount: money((lines.length === 0 ? 5000 : moneyOfPrice(price(goods))) + shipping),
    });
    return { ...order, salesTax: answerTo(order).amount_to_collect };
  });

const CALENDAR = zoneCalendar('America/Los_Angeles');

const repaid = (amounts: readonly number[]): readonly RefundDate[] =>
  amounts.map((amount, index) => ({
    order: '1001',
    instant: instant(Date.UTC(2026, 10, index + 1, 12)),
    amount: money(amount),
    origin: { file: 'payments.csv', line: index + 2, record: '1001' },
  }));

/** The parts into which repayments that come to the whole order divide it; an order of a cent has one. */
export const partsOf = (order: Sale, cuts: readonly number[]): readonly Sale[] => {
  const whole = order.amount + order.salesTax;
  const ends = whole > 1 ? cuts.map((cut) => 1 + (cut % (whole - 1))) : [];
  const at = [...new Set(ends)].sort((a, b) => a - b);
  const amounts = [...at, whole].map((end, index) => end - (at[index - 1] ?? 0));
  return refundsOf({ sale: order, refunded: money(whole) }, repaid(amounts), CALENDAR, () => 'prorate');
};

export const CUTS = fc.array(fc.nat(), { minLength: 1, maxLength: 5 });
