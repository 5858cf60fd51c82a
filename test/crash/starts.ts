import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeSchemaShop } from '../schemas/schema-shop.ts';
import { loadSqlDump } from '../schemas/sql-dump.ts';
import { type ShopOrder, writeOrders, writeRefunds, writeShop } from '../support/shop.ts';
import { closeShop } from './close-shop.ts';

/** What a folder holds when the close that will be killed begins. */
export type Start = {
  readonly name: string;
  /** Fill the folder; the settings stand at the end of its configuration. */
  readonly prepare: (folder: string, settings: string) => Promise<void>;
};

const PLACES = [
  { city: 'Oakland', zip: '94607', state: 'CA' },
  { city: 'San Diego', zip: '92101', state: 'CA' },
  { city: 'Reno', zip: '89501', state: 'NV' },
] as const;

const ORDERS: readonly ShopOrder[] = Array.from({ length: 24 }, (_, index) => ({
  name: `#${index + 1}`,
  at: `2026-10-${String(index + 1).padStart(2, '0')} 12:00:00 -0700`,
  price: `${20 + index}.00`,
  tax: `${2 + (index % 3)}.15`,
  to: PLACES[index % PLACES.length] ?? PLACES[0],
  ...(index === 4 && { status: 'refunded', refunded: '28.15' }),
}));

const writeMonth = async (folder: string, settings: string, orders: readonly ShopOrder[]): Promise<void> => {
  await writeOrders(folder, 'orders.csv', orders);
  await writeRefunds(folder, 'refunds.csv', [
    { order: '#5', at: '2026-10-20 09:00:00 -0700', amount: '28.15' },
  ]);
  await writeShop(folder, ['orders.csv'], ['refunds.csv'], settings);
};

const newMonth: Start = {
  name: 'a new month',
  prepare: (folder, settings) => writeMonth(folder, settings, ORDERS),
};

/** The month is closed; since then an order was changed, one is gone, and one is new. */
const changedMonth: Start = {
  name: 'a month that is closed and has changed',
  prepare: async (folder, settings) => {
    await writeMonth(folder, settings, ORDERS);
    const { stderr } = await closeShop(folder);
    if (stderr !== '') throw new Error(stderr);
    const [first, , ...rest] = ORDERS;
    const changed = { ...first, name: '#1', price: '77.00', tax: '8.28' };
    await writeMonth(folder, settings, [changed, ...rest, { name: '#99' }]);
  },
};

const earlierVersion = (workspace: string, ledger: string): Start => ({
  name: `databases of ${workspace} and ${ledger}`,
  prepare: async (folder) => {
    await writeSchemaShop(folder);
    await mkdir(join(folder, '.tieout'));
    const kept = (version: string) => readFile(new URL(`../schemas/${version}.sql`, import.meta.url), 'utf8');
    loadSqlDump(await kept(workspace), join(folder, '.tieout', 'workspace.db'));
    loadSqlDump(await kept(ledger), join(folder, '.tieout', 'ledger.db'));
  },
});

/** Where a close can begin on databases that are new. */
export const NEW_STARTS: readonly Start[] = [newMonth, changedMonth];

export const STARTS: readonly Start[] = [
  newMonth,
  changedMonth,
  earlierVersion('workspace-0001-initial', 'ledger-0001-accounts'),
  earlierVersion('workspace-0004-refund-adjustments', 'ledger-0003-transactions'),
];
