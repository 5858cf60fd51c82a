import { join } from 'node:path';
import { type MonthData, month } from '../support/month.ts';
import { recordsIn } from '../support/records-in.ts';
import type { Order } from '../support/shop-exports.ts';

export const ORDERS: readonly Order[] = Array.from({ length: 60 }, (_, index) => ({
  name: `#${1001 + index}`,
}));

export const DATABASES = { ledger: 'sqlite:books/ledger.db' };

/** A month whose records and output lie in folders of their own, each of which can be on another disk. */
export const faultMonth = async (data: MonthData = {}, place?: string) => {
  const shop = await month(
    { orders: ORDERS, ...data, settings: { databases: DATABASES, ...data.settings } },
    place,
  );
  const books = join(shop.folder, 'books', 'ledger.db');
  return {
    ...shop,
    books,
    /** What closes have left: the files, and the records of the books. */
    left: async () => ({ files: await shop.published(), records: await recordsIn(`sqlite:${books}`) }),
  };
};

export type FaultMonth = Awaited<ReturnType<typeof faultMonth>>;
