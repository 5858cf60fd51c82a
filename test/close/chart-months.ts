import { join } from 'node:path';
import { type ShopOrder, writeOrders, writeShop } from '../support/shop.ts';
import { tieout } from '../support/tieout.ts';

const RENO = { city: 'Las Vegas', zip: '89101', state: 'NV' };

/**
 * Orders of a month, with 10.75 due in Oakland: charged where nothing is due, not charged, charged by hand, and with
 * twice as much due charged wrongly.
 */
const ordersOf = (
  month: string,
  charged: Partial<Record<'noNexus' | 'none' | 'byHand' | 'wrongly', string>>,
): readonly ShopOrder[] => {
  const at = `2026-${month}-10 12:00:00 -0700`;
  const { noNexus, none, byHand, wrongly } = charged;
  return [
    ...(noNexus === undefined ? [] : [{ name: `#${month}-nexus`, at, to: RENO, tax: noNexus }]),
    ...(none === undefined ? [] : [{ name: `#${month}-none`, at, tax: none }]),
    ...(byHand === undefined ? [] : [{ name: `#${month}-hand`, at, tax: byHand }]),
    ...(wrongly === undefined ? [] : [{ name: `#${month}-wrong`, at, price: '200.00', tax: wrongly }]),
  ];
};

const ORDERS = [
  // +3.00, -10.75, +9.00, -0.60: from above zero below it, back above it, and on.
  ...ordersOf('10', { noNexus: '3.00', none: '0.00', byHand: '19.75', wrongly: '20.90' }),
  // -10.75, +20.00, -15.00
  ...ordersOf('09', { none: '0.00', byHand: '30.75', wrongly: '6.50' }),
  // -10.75, +10.75: nothing in the end.
  ...ordersOf('08', { none: '0.00', byHand: '21.50' }),
];

const OVERRIDES = `overrides:
  - { record: "#10-hand", tax: "19.75", why: agreed }
  - { record: "#09-hand", tax: "30.75", why: agreed }
  - { record: "#08-hand", tax: "21.50", why: agreed }
`;

/** Close August, September and October in a folder, whose bridges end above zero, below it and at it. */
export const closeChartMonths = async (folder: string): Promise<void> => {
  await writeOrders(folder, 'orders.csv', ORDERS);
  await writeShop(folder, ['orders.csv'], [], OVERRIDES);
  const args = ['--config', join(folder, 'tieout.yaml'), '--output', join(folder, 'out')];
  for (const month of ['08', '09', '10']) await tieout(['close', `2026-${month}`, ...args]);
};
