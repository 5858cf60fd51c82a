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
  await shop.run('close', '2026-11', '--working-papers');
  const nexus = await shop.rows('Nexus', '2026-11', 'filing-summary');
  expect(nexus.find((row) => row['State'] === 'FL')).toMatchObject({
    Status: 'crossed',
    'All sales': 120_000,
  });
  const trend = await shop.rows('Trend', '2026-11', 'working-papers');
  expect(trend.map((row) => row['Period'])).toEqual(['2025-01', '2026-11']);
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
  const NOT_MEASURED = 'Not measured: thresholds are measured by months, and no month with sales';
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

test('a month without any sales so far says so under Nexus of the page, and does not ask for other months', async () => {
  const shop = await month({ orders: [{ name: '#1', at: '2026-08-10' }] });
  await shop.close('2026-07');
  const page = await shop.read('out/shop/2026-07/report.html');
  expect(page).toContain('Not measured: no sale into a state with a threshold is known of this month, or of');
  expect(page).not.toContain('Close the months');
  expect(await shop.verify('2026-07')).toEqual([]);
});
