import { join } from 'node:path';
import type { Order } from '../support/shop-exports.ts';
import { tieout } from '../support/tieout.ts';
import { type Settings, writeMonth } from '../support/write-month.ts';
import { closeShop } from './close-shop.ts';

/** What a folder holds when the close that will be killed begins. */
export type Start = {
  readonly name: string;
  /** The month that is closed, when it is not October. */
  readonly period?: string;
  /** Fill the folder; the settings are part of its configuration. */
  readonly prepare: (folder: string, settings: Settings) => Promise<void>;
};

const PLACES = [
  { city: 'Oakland', zip: '94607', state: 'CA' },
  { city: 'San Diego', zip: '92101', state: 'CA' },
  { city: 'Reno', zip: '89501', state: 'NV' },
] as const;

const DAYS = 24;

const ORDERS: readonly Order[] = Array.from({ length: DAYS }, (_, index) => ({
  name: `#${index + 1}`,
  at: `2026-10-${String((index % DAYS) + 1).padStart(2, '0')}`,
  price: `${20 + index}.00`,
  tax: `${2 + (index % 3)}.15`,
  to: PLACES[index % PLACES.length] ?? PLACES[0],
  ...(index === 4 && { refundedOn: '2026-10-20' }),
}));

const newMonth: Start = {
  name: 'a new month',
  prepare: (folder, settings) => writeMonth(folder, { orders: ORDERS, settings }),
};

/** The month is closed; since then an order was changed, one is gone, and one is new. */
const changedMonth: Start = {
  name: 'a month that is closed and has changed',
  prepare: async (folder, settings) => {
    await writeMonth(folder, { orders: ORDERS, settings });
    const { stderr } = await closeShop(folder);
    if (stderr !== '') throw new Error(stderr);
    const [first, , ...rest] = ORDERS;
    const changed = { ...first, name: '#1', price: '77.00', tax: '8.28' };
    await writeMonth(folder, { orders: [changed, ...rest, { name: '#99' }], settings });
  },
};

/** October is locked; since then an order was changed, one is given back, and one came late. November is closed. */
const lateMonth: Start = {
  name: 'a month that files what came late',
  period: '2026-11',
  prepare: async (folder) => {
    const settings = { policy: { lateItems: 'carry' } };
    await writeMonth(folder, { orders: ORDERS, settings });
    const { stderr } = await closeShop(folder);
    if (stderr !== '') throw new Error(stderr);
    const lock = ['lock', '2026-10', '--open-exceptions', 'a trial', '--config', join(folder, 'tieout.yaml')];
    const locked = await tieout(lock);
    if (locked.code !== 0) throw new Error(locked.stderr);
    const [first, second, ...rest] = ORDERS;
    const changed = { ...first, name: '#1', price: '77.00', tax: '8.28' };
    const returned = { ...second, name: '#2', refundedOn: '2026-11-05' };
    const late = { name: '#98', at: '2026-10-30' };
    const own = { name: '#99', at: '2026-11-10' };
    await writeMonth(folder, { orders: [changed, returned, ...rest, late, own], settings });
  },
};

/** Where a close can begin. */
export const STARTS: readonly Start[] = [newMonth, changedMonth];

/** Where a close begins that the power may leave: with refunds, with changes, and with late records. */
export const POWER_STARTS: readonly Start[] = [newMonth, changedMonth, lateMonth];
