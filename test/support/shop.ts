import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Order, ordersExport, type Refund, refundsExport } from './shop-exports.ts';

export const writeOrders = (folder: string, file: string, orders: readonly Order[]): Promise<void> =>
  writeFile(join(folder, file), ordersExport(orders));

export const writeRefunds = (folder: string, file: string, refunds: readonly Refund[]): Promise<void> =>
  writeFile(join(folder, file), refundsExport(refunds));

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
