import { stringify } from 'csv-stringify/sync';
import { zoneCalendar } from '../../src/kernel/time-zones.ts';
import { isSalesProfile, shippedProfiles } from '../../src/sales/load-profiles.ts';
import { type RowGroup, rowGrouper } from '../../src/sales/read-export.ts';
import { type ReadOrder, type ReadRecord, type SaleContext, saleReader } from '../../src/sales/read-sale.ts';
import { rowReader } from '../../src/sales/row-reader.ts';

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

/** A row behind the first: its name, its line item, and nothing of the order. */
export const continuation = (cells: Cells = {}): string[] => {
  const own: Cells = {
    Name: '#1001',
    'Created at': ORDER_CELLS['Created at'],
    'Lineitem quantity': '1',
    'Lineitem name': 'Cap',
    'Lineitem price': '0.00',
    'Lineitem discount': '0.00',
    ...cells,
  };
  return HEADER.map((column) => own[column as keyof Cells] ?? '');
};

export const csvOf = (rows: readonly (readonly string[])[]): string =>
  stringify([HEADER, ...rows] as string[][]);

export const reader = rowReader(HEADER);

/** The groups that rows fall into, the first on line 2. */
export const groupsOf = (rows: readonly (readonly string[])[]): readonly RowGroup[] => {
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
  channelZone: 'America/Los_Angeles',
  locations: {},
  isMarketplace: false,
  sellerPlace: { country: 'US', state: 'CA', zip: '95814', city: 'Sacramento', street: '1201 K Street' },
  categoryOf: ({ sku }) => (sku.startsWith('APP-') ? '20010' : null),
  pickup: [],
  facilitates: () => true,
  isFee: (name) => name === 'Retail Delivery Fee',
};

/** What the rows of one order are read as. */
export const readRows = async (
  rows: readonly (readonly string[])[],
  profile = shopify,
): Promise<ReadRecord> => {
  const [group, ...others] = groupsOf(rows);
  if (!group || others.length > 0) throw new Error('the rows are not one group');
  return saleReader(profile, HEADER, CONTEXT).read(group);
};

/** An order that must be readable. */
export const readOrder = async (...rows: readonly (readonly string[])[]): Promise<ReadOrder> => {
  const record = await readRows(rows);
  if ('order' in record) return record;
  throw new Error('refund' in record ? 'a refund' : `set aside: ${record.reason.message}`);
};
