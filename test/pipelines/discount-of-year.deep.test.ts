import { expect, test } from 'vitest';
import { amendLate } from '../support/decisions.ts';
import { type Month, month } from '../support/month.ts';
import type { Order } from '../support/shop-exports.ts';

const PHOENIX = { city: 'Phoenix', zip: '85003', state: 'AZ' };

/** A sale of ten million in a month, with 5.6 % of the state's tax and 3.5 % of the local one. */
const large = (label: string): Order => ({
  name: `#${label}`,
  at: `${label}-14`,
  price: '10000000.00',
  tax: '910000.00',
  to: PHOENIX,
});

const discountIn = async (shop: Month, period: string) =>
  (await shop.rows('Figures_AZ', period, 'filing-summary')).find(
    (row) => row['Meaning'] === 'Discount for filing on time',
  );

const claimedIn = async (shop: Month, period: string): Promise<unknown> => {
  await shop.run('close', period);
  return (await discountIn(shop, period))?.['Amount'];
};

const shopSince = (since: string) =>
  month({
    orders: ['2026-07', '2026-08', '2026-09', '2027-01'].map(large),
    settings: { registrations: [{ state: 'AZ', since }] },
  });

test('the returns of a calendar year claim no more than the yearly cap, which starts again in January', async () => {
  const shop = await shopSince('2026-07-01');
  expect(await claimedIn(shop, '2026-07')).toBe(6720);
  expect(await claimedIn(shop, '2026-08')).toBe(5280);
  expect(await claimedIn(shop, '2026-09')).toBe(0);
  expect(await claimedIn(shop, '2027-01')).toBe(6720);
  expect(await shop.verify('2026-08')).toEqual([]);
});

test('an amended return claims what earlier returns and later locked ones leave of the cap', async () => {
  const orders = (july: Order): readonly Order[] => [july, large('2026-08'), large('2026-09')];
  const settings = { registrations: [{ state: 'AZ', since: '2026-07-01' }] };
  const small = { ...large('2026-07'), price: '3000000.00', tax: '273000.00' };
  const shop = await month({ orders: orders(small), settings });
  for (const label of ['2026-07', '2026-08']) {
    await shop.run('close', label);
    await shop.told(0, 'lock', label, '--open-exceptions', 'known');
  }
  expect(await claimedIn(shop, '2026-09')).toBe(3264);
  await shop.change({ orders: orders(large('2026-07')) });
  await amendLate(shop, '2026-07', '2026-09');
  expect((await discountIn(shop, '2026-07-amended-1'))?.['Amount']).toBe(5280);
  expect(await claimedIn(shop, '2026-09')).toBe(0);
  expect(await shop.verify('2026-07-amended-1')).toEqual([]);
});
