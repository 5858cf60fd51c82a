import { expect, test } from 'vitest';
import { messagesOf } from '../support/figures.ts';
import { month } from '../support/month.ts';

test('what was filed before days were counted in another zone is in the log of its amended version, and named where it is now', async () => {
  const evening = { name: '#1', at: '2026-10-31 23:30:00 -0700' };
  const shop = await month({ orders: [evening] });
  await shop.close('2026-10');
  await shop.told(0, 'lock', '2026-10');

  await shop.change({ orders: [evening, { name: '#2' }], settings: { timeZone: 'America/New_York' } });
  await shop.told(0, 'late', '2026-10', '--amend');
  expect(await shop.verify('2026-10-amended-1')).toEqual([]);

  expect(messagesOf(await shop.close('2026-11'), 'recorded-not-posted')).toEqual([
    'the service holds this order of "shopify" with 10.75 tax; it is filed with 2026-10',
  ]);
});
