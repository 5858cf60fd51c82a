import { expect, test } from 'vitest';
import { month } from '../support/month.ts';
import type { Order } from '../support/shop-exports.ts';

const orders: readonly Order[] = [
  { name: '#1', to: { city: 'Birmingham', zip: '35203', state: 'AL' }, price: '50.00', tax: '4.00' },
  { name: '#2', to: { city: 'Houston', zip: '77002', state: 'TX' }, price: '50.00', tax: '4.00' },
  // The content has no local rate of Marfa, where the state's is 6.25 %.
  { name: '#3', to: { city: 'Marfa', zip: '79843', state: 'TX' }, price: '50.00', tax: '3.13' },
];

const registered = (oneRate: boolean) => ({
  registrations: ['AL', 'TX'].map((state) => ({ state, since: '2019-01-01', ...(oneRate && { oneRate }) })),
});

test('a shop with the one rate of a state ties out once its seller has said so, also after a first close', async () => {
  const shop = await month({ orders, settings: registered(false) });
  expect((await shop.close()).totals).toMatchObject({
    collected: '11.13',
    expected: '12.26',
    variance: '-1.13',
  });
  await shop.change({ settings: registered(true) });
  const { totals, reasons } = await shop.close();
  expect(totals).toMatchObject({ collected: '11.13', expected: '12.00', variance: '-0.87' });
  expect(reasons).toMatchObject([{ code: 'R02', sales: 1 }]);
  await shop.change({ orders: [...orders.slice(0, 2), { ...orders[2], name: '#3', tax: '4.00' }] });
  const right = await shop.close();
  expect(right.totals).toMatchObject({ expected: '12.00', variance: '0.00' });
  expect(right.exit_code).toBe(0);
});
