import { printCents } from '../../samples/harbor-and-pine/generator/amounts.ts';
import { lineCents } from '../../samples/harbor-and-pine/generator/charge.ts';
import { storeDate } from '../../samples/harbor-and-pine/generator/store-time.ts';
import { loadContent } from '../../src/content/load-content.ts';
import { accept } from '../../src/contract/accept.ts';
import { TaxRequest, type TaxRequestInput } from '../../src/contract/tax-request.ts';
import type { TaxResult, UsBreakdown } from '../../src/contract/tax-result.ts';
import { calculateTax } from '../../src/engine/calculate-tax.ts';
import { type CalendarDate, calendarDate } from '../../src/kernel/calendar.ts';
import { money, sum } from '../../src/kernel/money.ts';
import type { MonthOrder } from './draw-order.ts';
import { REGISTERED_STATES, SHIP_FROM } from './merchant.ts';

const content = loadContent();
const nexus = REGISTERED_STATES.map((state) => ({ country: 'US', state }));
const CODES: Readonly<Record<string, string>> = { APP: '20010', GRO: '40030', BKS: '81100' };

/** What the shop charged, in whole cents: the tax that the engine gives, or what its mistake makes of it. */
export const shopTaxCents = (order: MonthOrder): number => {
  const request = requestOf(order);
  const asOf = calendarDate(storeDate(order.at));
  switch (order.mistake) {
    case undefined:
      return calculated(request, asOf).amount_to_collect;
    case 'nothing charged':
      return 0;
    case 'freight taxed':
      return calculated(withFreightAsGoods(request), asOf).amount_to_collect;
    case 'state rate only':
      return breakdownOf(calculated(request, asOf))?.state_tax_collectable ?? 0;
    case 'category ignored':
      return calculated(withoutCategories(request), asOf).amount_to_collect;
    case 'lines rounded':
      return roundedByLine(calculated(request, asOf));
    case 'charged without nexus':
      return calculated({ ...request, nexus_addresses: [{ country: 'US', state: order.place.state }] }, asOf)
        .amount_to_collect;
  }
};

/** What the engine answers as of a day. */
const calculated = (input: TaxRequestInput, asOf: CalendarDate): TaxResult =>
  calculateTax({ request: accept(TaxRequest, input), seller: { nexus }, content, asOf });

const requestOf = (order: MonthOrder): TaxRequestInput => ({
  from_country: 'US',
  from_state: SHIP_FROM.state,
  from_zip: SHIP_FROM.zip,
  from_city: SHIP_FROM.city,
  to_country: 'US',
  to_state: order.place.state,
  to_zip: order.place.zip,
  to_city: order.place.city,
  to_street: order.address.address1,
  shipping: printCents(order.shippingCents),
  line_items: linesOf(order),
});

/** A discount on the whole order is only given on goods that are taxed alike, so the first lines may bear it. */
const linesOf = ({ lines, orderDiscountCents }: MonthOrder): NonNullable<TaxRequestInput['line_items']> => {
  let left = orderDiscountCents;
  return lines.map((line, index) => {
    const taken = Math.min(left, lineCents(line));
    left -= taken;
    const code = CODES[line.product.sku.slice(0, 3)];
    return {
      id: String(index + 1),
      quantity: line.quantity,
      unit_price: printCents(line.product.priceCents),
      discount: printCents(line.discountCents + taken),
      ...(code !== undefined && { product_tax_code: code }),
    };
  });
};

const withFreightAsGoods = (request: TaxRequestInput): TaxRequestInput => ({
  ...request,
  shipping: 0,
  line_items: [
    ...(request.line_items ?? []),
    { id: 'freight', quantity: 1, unit_price: request.shipping ?? 0 },
  ],
});

const withoutCategories = (request: TaxRequestInput): TaxRequestInput => ({
  ...request,
  line_items: (request.line_items ?? []).map(({ product_tax_code, ...line }) => line),
});

const breakdownOf = ({ breakdown }: TaxResult): UsBreakdown | undefined =>
  breakdown as UsBreakdown | undefined;

const roundedByLine = (result: TaxResult): number => {
  const breakdown = breakdownOf(result);
  const lines = (breakdown?.line_items ?? []).map(({ tax_collectable }) => tax_collectable);
  return sum([...lines, breakdown?.shipping?.tax_collectable ?? money(0)]);
};
