import { expect, test } from 'vitest';
import { amendLate, carryLate } from '../support/decisions.ts';
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
  await shop.told(0, 'close', '2026-10');
  await shop.told(0, 'lock', '2026-10');
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
  const [period, next] = ['2026-10', '2026-11'];
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
      'the return of WA uses 23.55 of its credits, as the return of 2026-10 did, and leaves 26.45 to later periods',
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

test('an amended return that needs less of a credit says that locked months behind it opened without the rest', async () => {
  const [period, next, open] = ['2026-08', '2026-09', '2026-10'];
  const registered = (...more: readonly object[]): Settings => ({
    registrations: [
      { state: 'WA', since: '2019-01-01', credits: [{ period, opening: '50.00' }, ...more] },
      { state: 'CA', since: '2019-01-01' },
    ],
  });
  const sold = { ...IN_WASHINGTON, at: '2026-08-12' };
  const behind = { ...IN_WASHINGTON, name: '#3', at: '2026-09-12' };
  const shop = await month({ orders: [sold, behind], settings: registered() });
  for (const label of [period, next]) {
    await shop.told(0, 'close', label);
    await shop.told(0, 'lock', label);
  }
  await shop.change({ orders: [{ ...sold, price: '50.00', tax: '5.28' }, behind] });
  const { readiness } = await amendLate(shop, period, open);
  expect(readiness.reasons).toEqual([]);
  expect(await leftIn(shop, '2026-08-amended-1')).toEqual([
    [
      'WA',
      'the return of WA leaves 5.27 more of its credits than the return of 2026-08; later periods that are locked opened without it',
    ],
  ]);
  const pay = await sheetText(shop.book('2026-08-amended-1', 'filing-summary'), 'Pay');
  expect(pay).toContain('later periods that are locked opened without it.');
  expect(await shop.verify('2026-08-amended-1')).toEqual([]);

  await shop.change({ settings: registered({ period: open, added: '5.27' }) });
  await shop.close(open);
  const [, credits] = await shop.rows('Prepayments', open, 'filing-summary');
  expect([credits?.['Opening'], credits?.['Added']]).toEqual([28.9, 5.27]);
});

test.for([
  ['more', '200.00', '21.10'],
  ['less', '50.00', '5.28'],
] as const)(
  'an amended return with %s tax that uses all of a credit leaves nothing',
  async ([, price, tax]) => {
    const credits = [{ period: '2026-10', opening: '5.00' }];
    const shop = await month({
      orders: [IN_WASHINGTON],
      settings: { registrations: [{ state: 'WA', since: '2019-01-01', credits }] },
    });
    await shop.told(0, 'close', '2026-10');
    await shop.told(0, 'lock', '2026-10');
    await shop.change({ orders: [{ ...IN_WASHINGTON, price, tax }] });
    await amendLate(shop, '2026-10', '2026-11');
    expect(await leftIn(shop)).toEqual([]);
  },
);

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
  await shop.told(0, 'close', '2026-10');
  await shop.told(0, 'lock', '2026-10');

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

test('an amended return is paid and booked beyond the return before it, each version once', async () => {
  const settings = {
    registrations: [
      { state: 'WA', since: '2019-01-01' },
      { state: 'CA', since: '2019-01-01' },
    ],
  };
  const dear: Order = { ...LATE, name: '#4', price: '10.00', tax: '1.06' };
  const shop = await amendedShop([IN_WASHINGTON, { name: '#3' }], [LATE], settings);
  await shop.change({ orders: [IN_WASHINGTON, { name: '#3' }, LATE, dear] });
  await amendLate(shop, '2026-10', '2026-11', 2);
  await shop.change({
    orders: [IN_WASHINGTON, { name: '#3' }, { ...LATE, price: '20.00', tax: '2.11' }, dear],
  });
  await amendLate(shop, '2026-10', '2026-11', 3);

  const { periods } = (await shop.told(0, 'status', '2026-10')) as {
    periods: { period: string; returns: { return: string; status: string; amount: string }[] }[];
  };
  const versions = periods.map(({ period }) => period);
  expect(versions).toEqual(['2026-10', '2026-10-amended-1', '2026-10-amended-2', '2026-10-amended-3']);
  const amounts = periods.map(({ returns }) => returns.find((each) => each.return === 'WA')?.amount);
  expect(amounts).toEqual(['10.55', '5.28', '1.06', '-3.17']);
  const { stdout } = await shop.run('status', '2026-10');
  expect(stdout).toMatch(/^ {19}WA {2}TO FILE +-3\.17 +(OVERDUE: file by was|file by) /m);
  for (const [index, version] of versions.entries()) {
    const pay = await shop.rows('Pay', version, 'filing-summary');
    const paid = pay.find(({ State }) => State === 'WA')?.['To pay'];
    expect(paid).toBe(Number(amounts[index]));
    const journal = await shop.rows('Journal', version, 'filing-summary');
    const own = journal.filter(({ State }) => State === 'WA');
    const moved = own.filter(({ Account }) => Account === 'Sales tax payable');
    expect(moved.map(({ Debit, Credit }) => Number(Debit) - Number(Credit))).toEqual([paid]);
    expect(
      own.reduce((total, { Debit, Credit }) => total + 100 * (Number(Debit) - Number(Credit)), 0),
    ).toBeCloseTo(0);
    expect(await shop.verify(version)).toEqual([]);
  }
  const ofVersion = await shop.run('status', '2026-10-amended-1');
  expect(ofVersion.stdout).toMatch(/^2026-10-amended-1 +closed: /);
  expect(ofVersion.stdout).not.toContain('has not been closed yet');

  // What was sold in California is as it was filed.
  const ofCalifornia = periods.map(({ returns }) => returns.find((each) => each.return === 'CA')?.status);
  expect(ofCalifornia).toEqual(['TO FILE', 'NOTHING TO FILE', 'NOTHING TO FILE', 'NOTHING TO FILE']);
  expect(ofVersion.stdout).toMatch(/^ +CA +NOTHING TO FILE +0\.00 +as filed before$/m);
  const pay = await sheetText(shop.book('2026-10-amended-3', 'filing-summary'), 'Pay');
  expect(pay).toContain('Nothing to file: no line differs from the return of 2026-10-amended-2.');
  expect(pay).toMatch(/1 return; without CA/);
  await shop.told(0, 'unlock', '2026-10-amended-3', '--reason', 'not filed');
  const unlocked = await shop.run('status', '2026-10-amended-3');
  expect(unlocked.stdout).toMatch(/^ +CA +NOTHING TO FILE /m);
  expect(unlocked.stdout).not.toMatch(/^Next: .*\bCA\b/m);
  await shop.told(0, 'lock', '2026-10-amended-3');
});

test('a return whose tax moved to another county is not the return that was filed', async () => {
  const to = (city: string, zip: string) => ({ state: 'WI', zip, city });
  const order: Order = { name: '#1', to: to('Madison', '53703'), tax: '5.50' };
  const shop = await month({
    orders: [order],
    settings: { registrations: [{ state: 'WI', since: '2019-01-01' }] },
  });
  await shop.close('2026-10');
  await shop.told(0, 'lock', '2026-10', '--open-exceptions', 'known');
  await shop.change({ orders: [{ ...order, to: to('Kenosha', '53140') }] });
  await amendLate(shop, '2026-10', '2026-11');
  const pay = await shop.rows('Pay', '2026-10-amended-1', 'filing-summary');
  expect(pay.map((row) => [row['State'], row['To pay']])).toContainEqual(['WI', 0]);
  expect((await shop.run('status', '2026-10-amended-1')).stdout).not.toContain('NOTHING TO FILE');
});

test('a record that was carried stays carried in the amended version of its month and in a quarter, which has the amended ones, too', async () => {
  const july: Order = { name: '#1', at: '2026-07-10' };
  const august: Order = { name: '#2', at: '2026-08-10' };
  const carried: Order = { name: '#3', at: '2026-07-20', price: '80.00' };
  const amended: Order = { name: '#4', at: '2026-08-20', price: '50.00' };
  const shop = await month({
    orders: [july, august],
    settings: { registrations: [{ state: 'CA', since: '2019-01-01', frequency: 'quarterly' }] },
  });
  await shop.told(0, 'close', '2026-07');
  await shop.told(0, 'lock', '2026-07');
  await shop.change({ orders: [july, august, carried] });
  await carryLate(shop, '2026-08');
  await shop.told(0, 'close', '2026-08');
  await shop.told(0, 'lock', '2026-08');
  await shop.change({ orders: [july, august, carried, amended] });
  await amendLate(shop, '2026-08', '2026-09');
  const lateIn = async (label: string) =>
    (await shop.rows('Exceptions', label))
      .filter((row) => row['Code'] === 'late-filed')
      .map((row) => [
        row['Record'],
        /, filed here$/.test(String(row['What'])) ? 'carried' : 'amended',
        Number(/(-?[\d.]+) gross/.exec(String(row['What']))?.[1]),
      ]);
  const both = [
    ['3', 'carried', 80],
    ['4', 'amended', 50],
  ];
  expect(await lateIn('2026-08-amended-1')).toEqual(both);
  expect(await shop.verify('2026-08-amended-1')).toEqual([]);
  await shop.close('2026-09');
  await shop.close('2026-Q3');
  expect(await lateIn('2026-Q3')).toEqual(both);
});
