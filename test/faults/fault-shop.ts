import { join } from 'node:path';
import { type ShopOrder, writeOrders, writeShop } from '../support/shop.ts';
import { filesOf } from '../support/tieout.ts';
import { recordsIn } from './records-in.ts';

export const ORDERS: readonly ShopOrder[] = Array.from({ length: 60 }, (_, index) => ({
  name: `#${1001 + index}`,
}));

/** A shop whose books, workspace and output lie in folders of their own, each of which can be on another disk. */
export const writeFaultShop = async (folder: string, settings = ''): Promise<void> => {
  await writeOrders(folder, 'orders.csv', ORDERS);
  await writeShop(
    folder,
    ['orders.csv'],
    [],
    `databases: { ledger: "sqlite:books/ledger.db", workspace: "sqlite:work/workspace.db" }\n${settings}`,
  );
};

export const booksOf = (folder: string): string => join(folder, 'books', 'ledger.db');
export const workspaceOf = (folder: string): string => join(folder, 'work', 'workspace.db');

/** What a close has left: its files, and the records of its books. */
export const leftIn = async (folder: string) => ({
  files: await filesOf(join(folder, 'out')),
  records: recordsIn(booksOf(folder)),
});
