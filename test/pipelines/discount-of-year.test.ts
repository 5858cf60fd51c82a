import { expect, test } from 'vitest';
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

const claimedIn = async (shop: Month, period: string): Promise<unknown> => {
  await shop.run('close', period);
  const [row] = await shop.rows('Discounts', period, 'filing-summary');
  return row?.['Claimed'];
};

const whyIn = async (shop: Month, period: string): Promise<unknown> =>
  (await shop.rows('Discounts', period, 'filing-summary'))[0]?.['Why'];

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
  expect(await whyIn(shop, '2026-07')).not.toContain('not known');
  expect(await shop.verify('2026-08')).toEqual([]);
});

test('a return says which earlier ones of the year may have claimed a part of the cap', async () => {
  const shop = await shopSince('2026-05-15');
  expect(await claimedIn(shop, '2026-08')).toBe(6720);
  expect(await whyIn(shop, '2026-08')).toContain(
    'The cap of 12,000.00 is for the year: what was claimed for 2026-05, 2026-06, 2026-07 is not known here and not taken off, so take it off yourself.',
  );
});
