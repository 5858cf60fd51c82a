import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerLate } from '../support/decisions.ts';
import { type Month, month } from '../support/month.ts';
import { AUSTIN, type Order } from '../support/shop-exports.ts';

const sold = (name: string, at: string): Order => ({
  name,
  at,
  to: AUSTIN,
  price: '100.00',
  tax: '8.25',
});
const TITLES = 'period,return,filed on,confirmation,penalty,interest,checked';

/** A shop that is registered in Texas, with an order of each of these months. */
const texas = (...months: readonly string[]): Promise<Month> =>
  month({
    orders: months.map((each, index) => sold(`#${index + 1}`, `${each}-10`)),
    settings: { registrations: [{ state: 'TX', since: '2019-10-01' }] },
  });

const book = (shop: Month, table: string, period = '2026-10') => shop.rows(table, period, 'filing-summary');

/** The cells of a line of the return. */
const line = async (shop: Month, number: string, period?: string) =>
  (await book(shop, 'Return_TX', period)).find((row) => row['Line'] === number);

/** The entries of penalties in the journal of a period. */
const penalties = async (shop: Month, period?: string) =>
  (await book(shop, 'Journal', period))
    .filter((row) => row['Account'] === 'Penalties and interest')
    .map((row) => `${row['State']} ${row['Debit']} ${row['What for']}`);

const lock = (shop: Month, period: string) =>
  shop.told(0, 'lock', period, '--as', 'Dana Reyes', '--open-exceptions', 'rates of an earlier month');

test('a penalty that is stated before the return is filed is on its lines, on Pay, in the journal and in the checks', async () => {
  const shop = await texas('2026-10');
  await shop.close();
  // 6.25 and 2.00 of tax; half a per cent for filing on time.
  expect(await line(shop, '15')).toMatchObject({ Amount: 8.21 });
  await shop.write('filings.csv', `${TITLES}\n2026-10,TX,,,0.41,0.05,\n`);
  await shop.close();
  expect(await line(shop, '11')).toMatchObject({ Amount: 0 });
  expect(await line(shop, '14')).toMatchObject({ Amount: 0.46 });
  expect(await line(shop, '15')).toMatchObject({ Amount: 8.71 });
  expect((await book(shop, 'Pay'))[0]).toMatchObject({
    'To pay': 8.71,
    'Before you file': expect.stringMatching(/^With penalty and interest of 0\.46\./),
  });
  expect(await penalties(shop)).toEqual(['TX 0.46 Penalty and interest, 01-114']);
  const checks = await book(shop, 'Checks');
  expect(checks.filter((row) => row['Result'] !== 'PASS')).toEqual([]);
  expect(await shop.verify()).toEqual([]);
});

test('one that is stated after the lock is an entry of the first open period, once', async () => {
  const shop = await texas('2026-10', '2026-11', '2026-12');
  const state = (line: string) => shop.write('filings.csv', `${TITLES}\n2026-10,${line}\n`);
  await shop.close('2026-10');
  await lock(shop, '2026-10');
  await shop.close('2026-11');
  const locked = await shop.files('2026-10');
  await state('TX,2026-12-03,TX-1,0.41,,');
  await shop.close('2026-10');
  expect(await shop.files('2026-10')).toEqual(locked);
  await shop.close('2026-11');
  await shop.close('2026-12');
  expect(await penalties(shop, '2026-12')).toEqual([]);
  expect(await penalties(shop, '2026-11')).toEqual(['TX 0.41 Penalty and interest, 2026-10']);
  expect(await line(shop, '14', '2026-11')).toMatchObject({ Amount: 0 });
  await lock(shop, '2026-11');
  await shop.close('2026-12');
  expect(await penalties(shop, '2026-12')).toEqual([]);
  // The interest comes in a later letter.
  await state('TX,2026-12-03,TX-1,0.41,0.07,');
  await shop.close('2026-12');
  expect(await penalties(shop, '2026-12')).toEqual(['TX 0.07 Penalty and interest, 2026-10']);
  expect(await shop.verify('2026-12')).toEqual([]);
  await shop.told(0, 'close', '2026-11', '--recheck', '--output', join(shop.folder, 'again'));
  await state('TC,2026-12-03,TX-1,0.41,0.07,');
  expect((await shop.run('close', '2026-12')).stderr).toContain('2026-10 has no return "TC"');
});

test('an amended return has the penalty of the one before it, and pays the difference in tax', async () => {
  const shop = await texas('2026-10');
  await shop.write('filings.csv', `${TITLES}\n2026-10,TX,,,0.41,,\n`);
  await shop.close();
  await lock(shop, '2026-10');
  await shop.change({
    orders: [sold('#1', '2026-10-10'), sold('#2', '2026-10-11'), sold('#3', '2026-11-10')],
  });
  await shop.close('2026-11');
  await answerLate(shop, '2026-11', 'amend');
  await shop.close('2026-11');
  await shop.close('2026-10', '--amend');
  const amended = '2026-10-amended-1';
  expect(await line(shop, '14', amended)).toMatchObject({ Amount: 0.41 });
  expect((await book(shop, 'Pay', amended))[0]).toMatchObject({ 'To pay': 8.25 });
  expect(await penalties(shop, amended)).toEqual([]);
  await lock(shop, amended);
  await shop.write('filings.csv', `${TITLES}\n${amended},TX,2026-12-03,TX-2,0.1,,\n`);
  await shop.close('2026-11');
  expect(await penalties(shop, '2026-11')).toEqual([`TX 0.1 Penalty and interest, ${amended}`]);
});

test.each([
  ['2026-10,TX,2026-11-20,TX-1,,,8B; 9', '✓ 2026-11-20'],
  ['2026-10,TX,2026-11-20,TX-1,,,all', '✓ 2026-11-20'],
  ['2026-10,TX,2026-11-20,TX-1,,,2', 'compare'],
  // A return of a longer period may have another form.
  ['2026-Q3,TX,2026-10-20,TX-1,,,all', 'compare'],
  ['2026-11,TX,2026-12-20,TX-1,,,all', 'compare'],
])('a line of the form that was checked for an earlier return shows the day: %s', async (row, shown) => {
  const shop = await texas('2026-11');
  await shop.write('filings.csv', `${TITLES}\n${row}\n`);
  await shop.close('2026-11');
  expect((await line(shop, '8b', '2026-11'))?.['▲ Check']).toBe(shown);
  const [pay] = await book(shop, 'Pay', '2026-11');
  expect(String(pay?.['Before you file']).includes('Check 1 line')).toBe(shown === 'compare');
});

test.each([
  ['2026-10,TX,,,-1.00,,', 'column "penalty": -1.00 is negative'],
  ['2026-10,TX,,,,-1.00,', 'column "interest": -1.00 is negative'],
  ['2026-10,CA,,,1.00,,', '2026-10 has no return "CA"'],
  ['2026-10,TX,,,,,', 'column "filed on": the day is missing'],
  ['2026-09,TX,,,1.00,,8b', 'column "filed on": the day is missing'],
])('what filings.csv cannot mean stops the close: %s', async (row, message) => {
  const shop = await texas('2026-10');
  await shop.write('filings.csv', `${TITLES}\n${row}\n`);
  const { code, stderr } = await shop.run('close', '2026-10');
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/^E_FILING: filings\.csv:2, /);
  expect(code).not.toBe(0);
});

test('a penalty of a month that a return of a quarter has is not taken', async () => {
  const shop = await texas('2026-10');
  await shop.change({
    settings: { registrations: [{ state: 'TX', since: '2019-10-01', frequency: 'quarterly' }] },
  });
  await shop.write('filings.csv', `${TITLES}\n2026-10,TX,,,1.00,,\n`);
  expect((await shop.run('close', '2026-10')).stderr).toContain('State it for 2026-Q4.');
});
