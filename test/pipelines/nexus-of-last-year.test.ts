import { expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { SEATTLE } from '../support/shop-exports.ts';

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
  expect(await shop.verify('2026-11')).toEqual([]);
});

test('a quarter has thresholds measured by the months that were closed here, or says that there are none', async () => {
  const shop = await month({
    orders: [
      { name: '#1', at: '2026-07-10' },
      { name: '#2', at: '2026-08-14', price: '80.00', tax: '0.00', to: SEATTLE },
    ],
    settings: { registrations: [{ state: 'CA', since: '2019-01-01', frequency: 'quarterly' }] },
  });
  const page = () => shop.read('out/shop/2026-Q3/report.html');
  await shop.close('2026-Q3');
  const NOT_MEASURED = 'Not measured: no month with sales into a state with a threshold was closed here';
  expect(await page()).toContain(NOT_MEASURED);
  expect(await shop.rows('Nexus', '2026-Q3', 'filing-summary')).toEqual([]);
  for (const period of ['2026-07', '2026-08', '2026-Q3']) await shop.close(period);
  const nexus = await shop.rows('Nexus', '2026-Q3', 'filing-summary');
  expect(nexus.map((row) => [row['State'], row['Status'], row['All sales']])).toEqual([
    ['CA', 'registered', 100],
    ['WA', 'below', 80],
  ]);
  expect(await page()).toContain('The states by nexus: 1 registered, 0 crossed');
  expect(await shop.verify('2026-Q3')).toEqual([]);
});
