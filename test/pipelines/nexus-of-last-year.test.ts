import { expect, test } from 'vitest';
import { month } from '../support/month.ts';

test('a threshold by the year before counts all months of it that were closed here, and Trend shows twelve', async () => {
  const to = { state: 'FL', zip: '33133', city: 'Miami' };
  const shop = await month({
    orders: [
      { name: '#1', at: '2025-01-10', to, price: '120000.00', tax: '0.00' },
      { name: '#2', at: '2026-11-10', to, tax: '0.00' },
    ],
  });
  await shop.close('2025-01');
  await shop.close('2026-11');
  const nexus = await shop.rows('Nexus', '2026-11', 'filing-summary');
  expect(nexus.find((row) => row['State'] === 'FL')).toMatchObject({
    Status: 'crossed',
    'All sales': 120_000,
  });
  const trend = await shop.rows('Trend', '2026-11');
  expect(trend.map((row) => row['Period'])).toEqual(['2025-01', '2026-11']);
  expect(await shop.verify('2026-11')).toEqual([]);
});
