import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';

const SAMPLE = new URL('../../samples/harbor-and-pine/', import.meta.url);
const headerOf = (file: string): readonly string[] =>
  (readFileSync(new URL(file, SAMPLE), 'utf8').split('\n')[0] ?? '').split(',');

/** One order of one line item, 100.00 and 8.75 tax in Oakland, California, unless it says otherwise. */
export type ShopOrder = {
  readonly name: string;
  readonly at?: string;
  readonly status?: 'paid' | 'voided' | 'refunded' | 'partially_refunded' | 'pending';
  readonly price?: string;
  readonly tax?: string;
  readonly total?: string;
  readonly refunded?: string;
  /** Where it went, instead of Oakland. */
  readonly to?: { readonly city: string; readonly zip: string; readonly state: string };
};

/** One repayment as the payment transactions have it. */
export type ShopRefund = { readonly order: string; readonly at: string; readonly amount: string };

const cellsOf = (order: ShopOrder): Readonly<Record<string, string>> => {
  const price = order.price ?? '100.00';
  const tax = order.tax ?? '10.75';
  return {
    Name: order.name,
    'Financial Status': order.status ?? 'paid',
    'Paid at': order.at ?? '2026-10-10 12:00:00 -0700',
    Currency: 'USD',
    Subtotal: price,
    Shipping: '0.00',
    Taxes: tax,
    Total: order.total ?? (Number(price) + Number(tax)).toFixed(2),
    'Created at': order.at ?? '2026-10-10 12:00:00 -0700',
    'Lineitem quantity': '1',
    'Lineitem name': 'Lantern',
    'Lineitem price': price,
    'Lineitem sku': 'GEN-LAN01',
    'Lineitem discount': '0.00',
    'Shipping Address1': '1 Main St',
    'Shipping City': order.to?.city ?? 'Oakland',
    'Shipping Zip': `'${order.to?.zip ?? '94607'}`,
    'Shipping Province': order.to?.state ?? 'CA',
    'Shipping Country': 'US',
    'Refunded Amount': order.refunded ?? '0.00',
    Vendor: 'Test',
  };
};

const table = (file: string, rows: readonly Readonly<Record<string, string>>[]): string => {
  const header = headerOf(file);
  return stringify([[...header], ...rows.map((row) => header.map((column) => row[column] ?? ''))]);
};

export const writeOrders = (folder: string, file: string, orders: readonly ShopOrder[]): Promise<void> =>
  writeFile(join(folder, file), table('orders_export.csv', orders.map(cellsOf)));

export const writeRefunds = (folder: string, file: string, refunds: readonly ShopRefund[]): Promise<void> =>
  writeFile(
    join(folder, file),
    table(
      'payment_transactions_export.csv',
      refunds.map(({ order, at, amount }) => ({
        'Transaction Date': at,
        Type: 'refund',
        Order: order,
        Amount: `-${amount}`,
        Currency: 'USD',
      })),
    ),
  );

/** A configuration of one shop in California with these files. */
export const writeShop = (
  folder: string,
  files: readonly string[],
  refundDates: readonly string[] = [],
  more = '',
): Promise<void> =>
  writeFile(
    join(folder, 'tieout.yaml'),
    `entity: shop
name: Shop
timeZone: America/Los_Angeles
shipFrom: { country: US, state: CA, zip: "95814", city: Sacramento, street: 1 K Street }
registrations: [{ state: CA, since: "2019-01-01" }]
channels: [{ name: shopify, files: [${files.join(', ')}], refundDates: [${refundDates.join(', ')}] }]
${more}`,
  );
