import * as fc from 'fast-check';
import type { TaxRequestInput } from '../../src/contract/tax-request.ts';
import type { Order, Place } from './shop-exports.ts';

/** One order of a random shop. Amounts are cents. */
export type RandomOrder = {
  readonly place: Place;
  readonly day: number;
  /** 12 is noon; 20 is the next day in UTC. */
  readonly hour: number;
  readonly shipping: number;
  readonly lines: readonly RandomLine[];
};
export type RandomLine = {
  readonly sku: string;
  readonly quantity: number;
  readonly price: number;
  /** Of the whole line. */
  readonly discount: number;
};

/** Registered states with and without freight, clothing and local rules of their own, and one without registration. */
export const PLACES: readonly Place[] = [
  { state: 'CA', city: 'Oakland', zip: '94607' },
  { state: 'CA', city: 'Los Angeles', zip: '90012' },
  { state: 'GA', city: 'Macon', zip: '31201' },
  { state: 'MA', city: 'Worcester', zip: '01608' },
  { state: 'NY', city: 'New York', zip: '10001' },
  { state: 'NY', city: 'Buffalo', zip: '14202' },
  { state: 'WA', city: 'Seattle', zip: '98101' },
  { state: 'TX', city: 'Austin', zip: '78701' },
];
export const ABROAD: Place = { state: 'AZ', city: 'Phoenix', zip: '85004' };
/** Registered in the middle of the month. */
export const LATELY: Place = { state: 'OH', city: 'Columbus', zip: '43215' };
export const LATELY_SINCE = '2026-10-20';

export const CATEGORIES = [
  { sku: 'APP-*', code: '20010' },
  { sku: 'GRO-*', code: '40030' },
];
const categoryOf = (sku: string): string | undefined =>
  CATEGORIES.find((category) => sku.startsWith(category.sku.slice(0, 4)))?.code;

export const SHIP_FROM = {
  country: 'US',
  state: 'CA',
  zip: '95814',
  city: 'Sacramento',
  street: '1 K Street',
};

const anyLine: fc.Arbitrary<RandomLine> = fc
  .record({
    sku: fc.constantFrom('GEN-1', 'GEN-2', 'APP-1', 'GRO-1'),
    quantity: fc.integer({ min: 1, max: 3 }),
    price: fc.integer({ min: 150, max: 19_999 }),
    isDiscounted: fc.boolean(),
  })
  .map(({ sku, quantity, price, isDiscounted }) => ({
    sku,
    quantity,
    price,
    discount: isDiscounted ? Math.floor((price * quantity) / 5) : 0,
  }));

export const anyOrder: fc.Arbitrary<RandomOrder> = fc.record({
  place: fc.constantFrom(...PLACES),
  day: fc.integer({ min: 1, max: 31 }),
  hour: fc.constantFrom(9, 12, 20),
  shipping: fc.constantFrom(0, 495, 1250),
  lines: fc.array(anyLine, { minLength: 1, maxLength: 3 }),
});

const dollars = (cents: number): string => (cents / 100).toFixed(2);
const two = (value: number): string => String(value).padStart(2, '0');
const dateOf = ({ day }: RandomOrder): string => `2026-10-${two(day)}`;

/** The question of an order to the service, as its shop should ask it. */
export const requestOf = ({ place, shipping, lines, ...order }: RandomOrder): TaxRequestInput => ({
  from_country: 'US',
  from_state: SHIP_FROM.state,
  from_zip: SHIP_FROM.zip,
  from_city: SHIP_FROM.city,
  to_country: 'US',
  to_state: place.state,
  to_zip: place.zip,
  to_city: place.city,
  to_street: '1 Main St',
  shipping: dollars(shipping),
  calculation_date: dateOf({ place, shipping, lines, ...order }),
  line_items: lines.map((line, index) => ({
    id: String(index + 1),
    quantity: line.quantity,
    unit_price: dollars(line.price),
    discount: dollars(line.discount),
    product_tax_code: categoryOf(line.sku),
  })),
});

/** An order as the shop exports it, with the tax it charged, in cents, and whether it was given back at the end of October. */
export const exportedOrder = (
  name: string,
  order: RandomOrder,
  {
    tax,
    isRefunded,
  }: {
    readonly tax: number;
    readonly isRefunded: boolean;
  },
): Order => ({
  name,
  at: `${dateOf(order)} ${two(order.hour)}:00:00 -0700`,
  to: order.place,
  shipping: dollars(order.shipping),
  tax: dollars(tax),
  lines: order.lines.map(({ price, discount, ...line }) => ({
    ...line,
    price: dollars(price),
    discount: dollars(discount),
  })),
  ...(isRefunded && { refundedOn: '2026-10-31' }),
});
