import { expect, test } from 'vitest';
import { amendLate } from '../support/decisions.ts';
import { openOf } from '../support/figures.ts';
import { month } from '../support/month.ts';

test('what was filed before days were counted in another zone stays where it was filed', async () => {
  const evening = { name: '#1', at: '2026-10-31 23:30:00 -0700' };
  const shop = await month({ orders: [evening] });
  await shop.close('2026-10');
  await shop.told(0, 'lock', '2026-10');

  await shop.change({ orders: [evening, { name: '#2' }], settings: { timeZone: 'America/New_York' } });
  await amendLate(shop, '2026-10', '2026-11');
  expect(await shop.verify('2026-10-amended-1')).toEqual([]);

  // By the day that it has now, the service has #1 in November.
  expect(openOf(await shop.close('2026-11')).map(({ code }) => code)).toEqual(['no-sales']);
});
