import { expect, test } from 'vitest';
import { type Month, month } from '../support/month.ts';
import { sheetText } from '../support/sheets.ts';
import { storedCells } from '../support/stored-cells.ts';

const AUSTIN = { city: 'Austin', zip: '78701', state: 'TX' };
const SEATTLE = { city: 'Seattle', zip: '98101', state: 'WA' };

/** Reads a column of a table of the filing summary of a period. */
const columnsOf = (shop: Month) => async (table: string, column: string, period: string) =>
  ((await shop.tables(period, 'filing-summary')).get(table)?.rows ?? []).flatMap(
    (row) => row[column]?.value ?? [],
  );

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

test('a quarter does not list the tax of monthly returns as staying payable: the months take it out', async () => {
  const shop = await month({
    orders: [
      { name: '#1', at: '2026-07-10', price: '100.00', tax: '10.75' },
      { name: '#2', at: '2026-08-14', price: '100.00', tax: '10.55', to: SEATTLE },
      { name: '#3', at: '2026-09-14', price: '100.00', tax: '10.55', to: SEATTLE },
    ],
    settings: {
      registrations: [
        { state: 'CA', since: '2019-01-01', frequency: 'quarterly' },
        { state: 'WA', since: '2026-08-01' },
      ],
    },
  });
  const amountsOf = columnsOf(shop);
  for (const period of ['2026-08', '2026-09']) {
    await shop.close(period);
    expect(await amountsOf('Journal', 'State', period)).toContain('WA');
  }
  await shop.close('2026-Q3');
  expect(await amountsOf('Journal', 'State', '2026-Q3')).not.toContain('WA');
  expect(await amountsOf('Still_payable', 'Tax charged', '2026-Q3')).toEqual([]);
  expect(await amountsOf('On_other_returns', 'Tax charged', '2026-Q3')).toEqual([21.1]);
  expect(await amountsOf('On_other_returns', 'Goes with', '2026-Q3')).toEqual([
    expect.stringMatching(
      / of 2026-08 to 2026-09; tax charged before Aug 1, 2026 is on no return: see Pay of its month$/,
    ),
  ]);
  const checks = await shop.rows('Checks', '2026-Q3', 'filing-summary');
  expect(checks.find((row) => row['Check'] === 'C09')).toMatchObject({ Left: 31.85, Right: 31.85 });
  expect(await shop.verify('2026-Q3')).toEqual([]);
});

test('an amended month of a quarter that was filed lists its tax with the return of the quarter', async () => {
  const orders = ['2025-07', '2025-08', '2025-09'].map((at, index) => ({
    ...{ name: `#${index + 1}`, at: `${at}-10`, tax: '10.25' },
  }));
  const quarterly = (state: string) => ({ state, since: '2019-01-01', frequency: 'quarterly' });
  const shop = await month({ orders, settings: { registrations: [quarterly('CA')] } });
  for (const period of ['2025-07', '2025-08', '2025-09', '2025-Q3']) {
    await shop.close(period);
    await shop.told(0, 'lock', period, '--as', 'Dana', '--open-exceptions', 'known');
  }
  const amountsOf = columnsOf(shop);
  expect(await amountsOf('Still_payable', 'Tax charged', '2025-08')).toEqual([10.25]);
  await shop.change({
    orders: [...orders, { name: '#4', at: '2025-08-20', tax: '10.25' }],
    settings: { registrations: [quarterly('CA'), quarterly('TX')], policy: { lateItems: 'amend' } },
  });
  await shop.run('close', '2025-08', '--amend');
  const amended = '2025-08-amended-1';
  await shop.told(0, 'lock', amended, '--as', 'Dana', '--open-exceptions', 'known');
  expect(await amountsOf('Still_payable', 'Tax charged', amended)).toEqual([]);
  expect(await amountsOf('On_other_returns', 'Tax charged', amended)).toEqual([20.5]);
  expect(await amountsOf('On_other_returns', 'Goes with', amended)).toEqual([
    expect.stringMatching(/^CDTFA-401-A of 2025-Q3, due /),
  ]);
  const pay = await sheetText(shop.book(amended, 'filing-summary'), 'Pay');
  expect(pay).toMatch(
    /Not from this close: CDTFA-401-A of 2025-Q3 was filed with the tax of this period\. That tax is now \d+\.\d\d\. `tieout close 2025-Q3 --amend` makes/,
  );
  expect(await sheetText(shop.book(amended, 'filing-summary'), 'CA CDTFA-401-A')).toContain(
    'and that return was filed: its amended return has the figures to file.',
  );
  const { stdout: status } = await shop.run('status', amended);
  expect(status).toMatch(/ CA {2,}NOT DUE {2,}filed with 2025-Q3/);
  // The registrations are those of the locked month.
  expect(status).not.toContain(' TX ');
  const cells = await storedCells(shop.book(amended, 'filing-summary'));
  const notDue = cells.filter(({ place, value }) => place.startsWith('Pay!') && value === '○ NOT DUE');
  const toPay = notDue.map(({ place }) => place.replace('!C', '!D'));
  expect(toPay).toHaveLength(1);
  const amounts = cells.filter(({ place, value }) => toPay.includes(place) && typeof value === 'number');
  expect(amounts).toEqual([]);
  const checks = await shop.rows('Checks', amended, 'filing-summary');
  expect(checks.find((row) => row['Check'] === 'C09')).toMatchObject({ Left: 20.5, Right: 20.5 });
  expect(await shop.verify(amended)).toEqual([]);
});
