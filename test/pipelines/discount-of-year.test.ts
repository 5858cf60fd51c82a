import { expect, test } from 'vitest';
import { amendLate } from '../support/decisions.ts';
import type { Figures } from '../support/figures.ts';
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

/** The closed periods that a close finds out of date. */
const outdatedAfter = async (shop: Month, period: string): Promise<readonly string[]> => {
  const { stdout } = await shop.run('close', period, '--json');
  return (JSON.parse(stdout) as Figures).outdated;
};

const discountIn = async (shop: Month, period: string) =>
  (await shop.rows('Figures_AZ', period, 'filing-summary')).find((row) => row['Figure'] === 'discount');

const claimedIn = async (shop: Month, period: string): Promise<unknown> => {
  await shop.run('close', period);
  return (await discountIn(shop, period))?.['Amount'];
};

const whyIn = async (shop: Month, period: string): Promise<unknown> =>
  (await discountIn(shop, period))?.['How'];

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

test('a return says that earlier ones of the year may have claimed a part of the cap', async () => {
  const shop = await shopSince('2026-05-15');
  expect(await claimedIn(shop, '2026-08')).toBe(6720);
  expect(await whyIn(shop, '2026-08')).toContain(
    'The cap of 12,000.00 is for the year: what other returns of it claimed is taken off as far as they were closed here',
  );
});

test('a return is out of date when an earlier one of the year claims more of the cap than was left of it', async () => {
  const months = ['2026-07', '2026-08', '2026-09'];
  const orders = (july: Order): readonly Order[] => [july, ...months.slice(1).map(large)];
  const settings = { registrations: [{ state: 'AZ', since: '2026-07-01' }] };
  const small = { ...large('2026-07'), price: '3000000.00', tax: '273000.00' };
  const shop = await month({ orders: orders(small), settings });
  expect(await claimedIn(shop, '2026-07')).toBe(2016);
  expect(await claimedIn(shop, '2026-08')).toBe(6720);
  expect(await claimedIn(shop, '2026-09')).toBe(3264);

  await shop.change({ orders: orders(large('2026-07')) });
  expect(await outdatedAfter(shop, '2026-07')).toEqual(['2026-08']);
  expect((await shop.run('status', '2026-08')).stdout).toContain(
    'NOT CURRENT: 2026-07, on which it builds, was closed again since; close it again\n',
  );
  expect(await outdatedAfter(shop, '2026-08')).toEqual(['2026-09']);
  expect(await outdatedAfter(shop, '2026-09')).toEqual([]);
  const claimed = months.map(async (label) => (await discountIn(shop, label))?.['Amount']);
  expect(await Promise.all(claimed)).toEqual([6720, 5280, 0]);
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
