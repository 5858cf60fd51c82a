import { join } from 'node:path';
import { type MonthData, month } from '../support/month.ts';
import type { Order } from '../support/shop-exports.ts';
import { filesOf } from '../support/tieout.ts';
import { recordsIn } from './records-in.ts';

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
    left: async () => ({ files: await filesOf(join(shop.folder, 'out')), records: recordsIn(books) }),
  };
};

export type FaultMonth = Awaited<ReturnType<typeof faultMonth>>;
