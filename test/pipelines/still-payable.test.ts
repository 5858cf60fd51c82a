import { expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { sheetText } from '../support/sheets.ts';

const AUSTIN = { city: 'Austin', zip: '78701', state: 'TX' };
const SEATTLE = { city: 'Seattle', zip: '98101', state: 'WA' };

test('all tax that was charged is on an entry of the journal, or listed as what stays payable', async () => {
  const shop = await month({
    orders: [
      { name: '#1', price: '100.00', tax: '10.75' },
      { name: '#2', price: '100.00', tax: '8.25', to: AUSTIN },
      { name: '#3', price: '100.00', tax: '10.55', to: SEATTLE },
    ],
    settings: {
      registrations: [
        { state: 'CA', since: '2019-01-01', frequency: 'quarterly' },
        { state: 'TX', since: '2026-12-01' },
        { state: 'WA', since: '2019-01-01' },
      ],
    },
  });
  await shop.close();
  const tables = await shop.tables(undefined, 'filing-summary');
  const journal = tables.get('Journal')?.rows ?? [];
  expect(journal.map((row) => row['State']?.value)).toEqual(['WA', 'WA']);
  const staying = tables.get('Still_payable')?.rows ?? [];
  expect(staying.map((row) => [row['State']?.value, row['Tax charged']?.value])).toEqual([
    ['CA', 10.75],
    ['TX', 8.25],
  ]);
  const checks = await shop.rows('Checks', undefined, 'filing-summary');
  expect(checks.find((row) => row['Check'] === 'C09')).toMatchObject({ Left: 29.55, Right: 29.55 });
});

test('tax of a state whose registration begins later is on no return, and Pay says so', async () => {
  const shop = await month({
    orders: [{ name: '#2', price: '100.00', tax: '8.25', to: AUSTIN }],
    settings: { registrations: [{ state: 'TX', since: '2026-12-01' }] },
  });
  await shop.close();
  expect(await sheetText(shop.book(undefined, 'filing-summary'), 'Pay')).toContain(
    'No registration in Texas before Dec 1, 2026.',
  );
});
