import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import type { TaxRequestInput } from '../../src/contract/tax-request.ts';

/** One order of a random shop. Amounts are cents. */
export type RandomOrder = {
  readonly place: RandomPlace;
  readonly day: number;
  /** 12 is noon; 20 is the next day in UTC. */
  readonly hour: number;
  readonly shipping: number;
  readonly lines: readonly RandomLine[];
};
export type RandomPlace = { readonly state: string; readonly city: string; readonly zip: string };
export type RandomLine = {
  readonly sku: string;
  readonly quantity: number;
  readonly price: number;
  /** Of the whole line. */
  readonly discount: number;
};

/** Registered states with and without freight, clothing and local rules of their own, and one without registration. */
export const PLACES: readonly RandomPlace[] = [
  { state: 'CA', city: 'Oakland', zip: '94607' },
  { state: 'CA', city: 'Los Angeles', zip: '90012' },
  { state: 'GA', city: 'Macon', zip: '31201' },
  { state: 'MA', city: 'Worcester', zip: '01608' },
  { state: 'NY', city: 'New York', zip: '10001' },
  { state: 'NY', city: 'Buffalo', zip: '14202' },
  { state: 'WA', city: 'Seattle', zip: '98101' },
  { state: 'TX', city: 'Austin', zip: '78701' },
];
export const ABROAD: RandomPlace = { state: 'AZ', city: 'Phoenix', zip: '85004' };
/** Registered in the middle of the month. */
export const LATELY: RandomPlace = { state: 'OH', city: 'Columbus', zip: '43215' };
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
export const dateOf = ({ day }: RandomOrder): string => `2026-10-${two(day)}`;

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

const SAMPLE = new URL('../../samples/harbor-and-pine/', import.meta.url);
const headerOf = (file: string): readonly string[] =>
  (readFileSync(new URL(file, SAMPLE), 'utf8').split('\n')[0] ?? '').split(',');
const table = (file: string, rows: readonly Readonly<Record<string, string>>[]): string => {
  const header = headerOf(file);
  return stringify([[...header], ...rows.map((row) => header.map((column) => row[column] ?? ''))]);
};

/** What the shop exports: an order with the tax it charged, in cents, and whether it was given back. */
export type Exported = {
  readonly name: string;
  readonly order: RandomOrder;
  readonly tax: number;
  readonly isRefunded: boolean;
};

const rowsOf = ({ name, order, tax, isRefunded }: Exported): Readonly<Record<string, string>>[] => {
  const { place, shipping, lines } = order;
  const goods = lines.reduce((sum, { price, quantity, discount }) => sum + price * quantity - discount, 0);
  const total = dollars(goods + shipping + tax);
  const at = `${dateOf(order)} ${two(order.hour)}:00:00 -0700`;
  const head = {
    'Financial Status': isRefunded ? 'refunded' : 'paid',
    'Paid at': at,
    Currency: 'USD',
    Subtotal: dollars(goods),
    Shipping: dollars(shipping),
    Taxes: dollars(tax),
    Total: total,
    'Shipping Address1': '1 Main St',
    'Shipping City': place.city,
    'Shipping Zip': `'${place.zip}`,
    'Shipping Province': place.state,
    'Shipping Country': 'US',
    'Refunded Amount': isRefunded ? total : '0.00',
  };
  return lines.map((line, index) => ({
    ...(index === 0 ? head : {}),
    Name: name,
    'Created at': at,
    Vendor: 'Test',
    'Lineitem quantity': String(line.quantity),
    'Lineitem name': line.sku,
    'Lineitem price': dollars(line.price),
    'Lineitem sku': line.sku,
    'Lineitem discount': dollars(line.discount),
  }));
};

/** Both exports of a month, some orders repeated in the first. What was given back was so on the last day of it. */
export const writeMonth = async (
  folder: string,
  orders: readonly Exported[],
  repeated: readonly Exported[],
): Promise<void> => {
  await writeFile(
    join(folder, 'orders.csv'),
    table('orders_export.csv', [...orders, ...repeated].flatMap(rowsOf)),
  );
  const refunds = orders
    .filter(({ isRefunded }) => isRefunded)
    .map((exported) => ({
      'Transaction Date': '2026-10-31 12:00:00 -0700',
      Type: 'refund',
      Order: exported.name,
      Amount: `-${rowsOf(exported)[0]?.['Total']}`,
      Currency: 'USD',
    }));
  await writeFile(join(folder, 'payments.csv'), table('payment_transactions_export.csv', refunds));
};
