import { stringify } from 'csv-stringify/sync';
import { zoneCalendar } from '../../src/kernel/time-zones.ts';
import { isSalesProfile, shippedProfiles } from '../../src/sales/detect-profile.ts';
import { rowGrouper } from '../../src/sales/read-export.ts';
import { type ReadSale, type SaleContext, saleReader } from '../../src/sales/read-sale.ts';
import { rowReader } from '../../src/sales/row-reader.ts';
import type { RowGroup } from '../../src/sales/table-row.ts';

const SHOPIFY = shippedProfiles()
  .filter(isSalesProfile)
  .find(({ id }) => id === 'shopify.orders');
if (!SHOPIFY) throw new Error('no profile of sales is shipped');
export const shopify = SHOPIFY;

/** Two jackets to Los Angeles at 50.00, 10.00 shipping, 9.50 tax, paid on the last evening of October. */
export const ORDER_CELLS = {
  Name: '#1001',
  'Financial Status': 'paid',
  'Paid at': '2026-10-31 23:30:00 -0700',
  Currency: 'USD',
  Subtotal: '100.00',
  Shipping: '10.00',
  Taxes: '9.50',
  Total: '119.50',
  'Created at': '2026-10-31 23:30:00 -0700',
  'Lineitem quantity': '2',
  'Lineitem name': 'Field jacket',
  'Lineitem price': '50.00',
  'Lineitem sku': 'APP-1',
  'Lineitem discount': '0.00',
  'Billing Address1': '1 Billing Way',
  'Billing City': 'Boston',
  'Billing Zip': '02139',
  'Billing Province': 'MA',
  'Billing Country': 'US',
  'Shipping Address1': '200 N Spring St',
  'Shipping City': 'Los Angeles',
  'Shipping Zip': '90012',
  'Shipping Province': 'CA',
  'Shipping Country': 'US',
  'Cancelled at': '',
  'Payment Method': 'Shopify Payments',
  'Refunded Amount': '0.00',
  Source: 'web',
} as const;
export type Cells = Partial<Record<keyof typeof ORDER_CELLS, string>>;
export const HEADER = Object.keys(ORDER_CELLS);

/** The first row of an order, with some cells changed. */
export const row = (cells: Cells = {}): string[] => Object.values({ ...ORDER_CELLS, ...cells });

export const csvOf = (rows: readonly (readonly string[])[]): string =>
  stringify([HEADER, ...rows] as string[][]);

export const reader = rowReader(HEADER);

/** The groups that rows fall into, the first on line 2. */
const groupsOf = (rows: readonly (readonly string[])[]): readonly RowGroup[] => {
  const groups: RowGroup[] = [];
  const { shape, map } = shopify;
  const grouper = rowGrouper(HEADER.length, shape, map.line?.present, reader, (group) => groups.push(group));
  for (const [index, cells] of rows.entries()) grouper.add({ line: index + 2, cells });
  grouper.end();
  return groups;
};

export const LOS_ANGELES = zoneCalendar('America/Los_Angeles');

export const CONTEXT: SaleContext = {
  channel: 'shopify',
  file: 'orders_export.csv',
  calendar: LOS_ANGELES,
  timeZone: 'America/Los_Angeles',
  locations: {},
  shops: new Set(),
  isMarketplace: false,
  sellerPlace: { country: 'US', state: 'CA', zip: '95814', city: 'Sacramento', street: '1201 K Street' },
  categoryOf: ({ sku }) => (sku.startsWith('APP-') ? '20010' : null),
  pickup: [],
  facilitates: () => true,
  isFee: (name) => name === 'Retail Delivery Fee',
};

/** An order that must be readable, from its rows. */
export const readOrder = async (...rows: readonly (readonly string[])[]): Promise<ReadSale> => {
  const [group, ...others] = groupsOf(rows);
  if (!group || others.length > 0) throw new Error('the rows are not one group');
  const record = saleReader(shopify, HEADER, CONTEXT).read(group);
  if ('sale' in record) return record;
  throw new Error(`set aside: ${record.reason.message}`);
};
