import { expect, test } from 'vitest';
import { month } from '../support/month.ts';
import type { Order, OrderLine } from '../support/shop-exports.ts';

const ROCHESTER = { city: 'Rochester', zip: '14604', state: 'NY' };
/** Monroe County taxes clothing below 110.00, and the state does not. */
const shirt: OrderLine = { sku: 'SHIRT-1', quantity: 1, price: '50.00' };
const lamp: OrderLine = { sku: 'GEN-LAN01', quantity: 1, price: '100.00' };

const orders: readonly Order[] = [
  { name: '#1', to: ROCHESTER, lines: [shirt, lamp], tax: '10.00' },
  { name: '#2', to: ROCHESTER, lines: [shirt], tax: '2.00' },
  { name: '#3', to: ROCHESTER, lines: [lamp], tax: '8.00' },
];
const settings = {
  registrations: ['CA', 'NY'].map((state) => ({ state, since: '2019-01-01' })),
  categories: [{ sku: 'SHIRT-*', code: '20010' }],
};

test('a schedule by place and rate has each part of a mixed order under the rate that taxes it', async () => {
  const shop = await month({ orders, settings });
  await shop.close();
  const schedule = (await shop.tables('2026-10', 'filing-summary')).get('Schedule_NY_jurisdictions');
  const rows = schedule?.rows.map((row) => [row['Taxable']?.value, row['Tax']?.value]);
  expect(rows).toEqual([
    [100, 4],
    [200, 16],
  ]);
  expect(await shop.verify()).toEqual([]);
});
