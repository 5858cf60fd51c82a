import { expect, test } from 'vitest';
import { amendLate, lockClosed } from '../support/decisions.ts';
import { type Month, month, type Settings } from '../support/month.ts';
import { sheetText } from '../support/sheets.ts';
import { LAS_VEGAS, type Order, SEATTLE } from '../support/shop-exports.ts';

const IN_WASHINGTON: Order = { name: '#1', to: SEATTLE, tax: '10.55' };
const LATE: Order = { name: '#2', to: SEATTLE, price: '50.00', tax: '5.28' };

/** October locked with these orders; then others, and those of October among them in an amended version. */
const amendedShop = async (
  october: readonly Order[],
  late: readonly Order[],
  settings: Settings = {},
): Promise<Month> => {
  const shop = await month({ orders: october, settings });
  await lockClosed(shop, '2026-10');
  await shop.change({ orders: [...october, ...late] });
  await amendLate(shop, '2026-10', '2026-11');
  return shop;
};

/** The states and texts of what an amended version says it leaves. */
const leftIn = async (shop: Month, version = '2026-10-amended-1'): Promise<readonly unknown[]> =>
  (await shop.rows('Exceptions', version))
    .filter((row) => row['Code'] === 'amended-leaves-credit')
    .map((row) => [row['State'], row['What']]);

test('an amended return uses no more of what was paid in advance than the return before it, and leaves the rest to the next', async () => {
  const period = '2026-10';
  const next = '2026-11';
  const shop = await amendedShop([IN_WASHINGTON, { name: '#3' }], [LATE], {
    registrations: [
      {
        ...{ state: 'WA', since: '2019-01-01', credits: [{ period, opening: '50.00' }] },
        purchases: [{ period, amount: '200.00' }],
      },
      { state: 'CA', since: '2019-01-01', prepayments: [{ period, opening: '10.00', added: '30.00' }] },
    ],
  });
  const accounts = async (label: string) => {
    const rows = await shop.rows('Prepayments', label, 'filing-summary');
    return rows
      .map((row) => [row['State'], row['Kind'], row['Opening'], row['Added'], row['Used'], row['Closing']])
      .filter(([, , opening]) => opening !== 0);
  };
  // The tax of the sales, and 13.00 on the purchases: 10.55 + 13.00.
  expect(await accounts('2026-10')).toEqual([
    ['CA', 'prepayments', 10, 30, 11, 29],
    ['WA', 'credits', 50, 0, 23.55, 26.45],
  ]);
  expect(await accounts('2026-10-amended-1')).toEqual([
    ['CA', 'prepayments', 10, 30, 11, 29],
    ['WA', 'credits', 50, 0, 23.55, 26.45],
  ]);
  expect(await leftIn(shop)).toEqual([
    [
      'WA',
      'the return of WA uses 23.55 of its credits and leaves 26.45, of which the return of 2026-10 left 26.45 to later periods',
    ],
  ]);
  const amended = await sheetText(
    shop.book('2026-10-amended-1', 'filing-summary'),
    'WA Combined Excise Return',
  );
  expect(amended.replaceAll('\n', ' ')).toContain('file it as an amended return, which it does not say;');
  await shop.close(next);
  expect(await accounts('2026-11')).toEqual([
    ['CA', 'prepayments', 29, 0, 0, 29],
    ['WA', 'credits', 26.45, 0, 0, 26.45],
  ]);
  expect((await shop.manifest(next)).content.previous?.period).toBe('2026-10-amended-1');
  expect(await shop.verify(next)).toEqual([]);
});

test('what came late counts once toward the thresholds, in the amended version and in later months', async () => {
  const order: Order = { name: '#1', to: LAS_VEGAS, price: '60000.00', tax: '0.00' };
  const november = { ...order, name: '#3', at: '2026-11-10', price: '100.00' };
  const shop = await amendedShop([order], [{ ...order, name: '#2' }, november]);
  await shop.close('2026-11');
  const nexus = async (label: string) => {
    const rows = await shop.rows('Nexus', label, 'filing-summary');
    const { Status, 'All sales': sales } = rows.find((row) => row['State'] === 'NV') ?? {};
    return [Status, sales];
  };
  expect(await nexus('2026-10')).toEqual(['below', 60_000]);
  expect(await nexus('2026-10-amended-1')).toEqual(['crossed', 120_000]);
  expect(await nexus('2026-11')).toEqual(['crossed', 120_100]);
});

test('what was decided of a period holds in its amended versions, for the same record and amount', async () => {
  const refunded = (price: string, tax: string) => ({ name: '#9', refundOf: '#1', price, tax, to: SEATTLE });
  const october = [IN_WASHINGTON, refunded('150.00', '15.83')];
  const settings = { registrations: [{ state: 'WA', since: '2019-01-01' }] };
  const shop = await month({ template: october, settings });
  await shop.told(1, 'close', '2026-10');
  const key = '2026-10 over-refund in WA';
  await shop.write('decided.csv', `key,records,decision,why\n${key},#9,Accept,a gift to the customer\n`);
  await shop.change({ settings: { ...settings, decisions: ['decided.csv'] } });
  await lockClosed(shop, '2026-10');

  await shop.change({ template: [...october, LATE] });
  await amendLate(shop, '2026-10', '2026-11');
  const decided = await shop.rows('Decide', '2026-10-amended-1');
  expect(decided.map((row) => [row['Records'], row['Decision'], row['Why']])).toContainEqual([
    '9',
    'Accept',
    'a gift to the customer',
  ]);
  expect(await shop.verify('2026-10-amended-1')).toEqual([]);
});

test('a return whose tax moved to another county is not the return that was filed', async () => {
  const to = (city: string, zip: string) => ({ state: 'WI', zip, city });
  const order: Order = { name: '#1', to: to('Madison', '53703'), tax: '5.50' };
  const shop = await month({
    orders: [order],
    settings: { registrations: [{ state: 'WI', since: '2019-01-01' }] },
  });
  await lockClosed(shop, '2026-10');
  await shop.change({ orders: [{ ...order, to: to('Kenosha', '53140') }] });
  await amendLate(shop, '2026-10', '2026-11');
  const pay = await shop.rows('Pay', '2026-10-amended-1', 'filing-summary');
  expect(pay.map((row) => [row['State'], row['To pay']])).toContainEqual(['WI', 0]);
  expect((await shop.run('status', '2026-10-amended-1')).stdout).not.toContain('NOTHING TO FILE');
});
