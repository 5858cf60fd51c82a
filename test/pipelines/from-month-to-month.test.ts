import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { amendLate, carryLate, lockClosed } from '../support/decisions.ts';
import { messagesOf, openOf } from '../support/figures.ts';
import { type Month, month } from '../support/month.ts';
import { AUSTIN, OAKLAND, type Order, SEATTLE } from '../support/shop-exports.ts';
import { sharedFolder } from '../support/tieout.ts';

test.for(['prepayments', 'credits'])('what is stated for a quarter is in its return: %s', async (kind) => {
  const stated = [
    { period: '2026-Q3', opening: '1.00', added: '5.50' },
    { period: '2026-10', added: '100.00' },
  ];
  const quarterly = { state: 'WA', since: '2019-01-01', frequency: 'quarterly', [kind]: stated };
  const shop = await month({
    orders: [{ name: '#1', at: '2026-08-14', price: '100.00', tax: '10.55', to: SEATTLE }],
    settings: { registrations: [quarterly] },
  });
  await shop.close('2026-Q3');
  const rows = await shop.rows('Prepayments', '2026-Q3', 'filing-summary');
  const own = rows.filter(({ Kind }) => Kind === kind);
  expect(own).toMatchObject([{ Opening: 1, Added: 5.5, Used: 6.5 }]);
});

const texan = (name: string, at: string, more: Partial<Order> = {}): Order => ({
  ...{ name, at, price: '100.00', tax: '8.25', to: AUSTIN },
  ...more,
});

const registered = (texas: object = {}) => ({
  registrations: [
    { state: 'TX', since: '2019-01-01', ...texas },
    { state: 'WA', since: '2019-01-01' },
    { state: 'CA', since: '2019-01-01', frequency: 'quarterly' },
  ],
});

const todoOf = async (shop: Month, period: string, state: string): Promise<unknown> => {
  const rows = await shop.rows('Pay', period, 'filing-summary');
  return rows.find((row) => row['State'] === state)?.['Before you file'];
};

describe('a return that ends in a credit', () => {
  const folder = sharedFolder();
  const orders: readonly Order[] = [
    texan('#1', '2026-08-14', { refundedOn: '2026-09-10' }),
    { name: '#2', at: '2026-09-14', price: '100.00', tax: '10.55', to: SEATTLE },
    texan('#3', '2026-10-14'),
    { name: '#4', at: '2026-10-14', price: '100.00', tax: '10.75', to: OAKLAND },
  ];
  let shop: Month;
  beforeAll(async () => {
    shop = await month({ orders, settings: registered() }, folder);
  });

  test('is not the first payment, and says how the credit reaches a later return', async () => {
    const { stdout } = await shop.run('close', '2026-09');
    expect(stdout).toContain('due: 2 returns, 10.55 in all; first WA by Mon, Oct 26, 2026');
    const page = await shop.read('out/shop/2026-09/report.html');
    expect(page).toContain('<span>To pay by October 26</span><b>$10.55</b>');
    expect(await todoOf(shop, '2026-09', 'TX')).toContain(
      'It ends in a credit of 8.25: claim it as the state says, and state what a later return may use as `added` under `credits` of that period.',
    );
  });

  test('is a finding of the next month, until its registration states the credits of that month', async () => {
    await shop.close('2026-10');
    const findings = async () =>
      (await shop.rows('Exceptions', '2026-10')).filter((row) => row['Code'] === 'credit-not-taken');
    expect(await findings()).toMatchObject([
      {
        State: 'TX',
        What: 'the return of TX for 2026-09 ended in a credit of 8.25, which this return does not use',
      },
    ]);
    expect(await shop.verify('2026-10')).toEqual([]);
    await shop.change({ settings: registered({ credits: [{ period: '2026-10', added: '8.25' }] }) });
    await shop.close('2026-10');
    expect(await findings()).toEqual([]);
    const [due] = (await shop.rows('Pay', '2026-10', 'filing-summary')).filter(
      (row) => row['State'] === 'TX',
    );
    expect(due).toMatchObject({ 'To pay': 0 });
  });
});

const SEPTEMBER = '2026-09-10';

test('working papers are written where they are asked for, a further close takes them away, and signing and locking keep them', async () => {
  const shop = await month({ orders: [{ name: '#1', at: SEPTEMBER }, { name: '#2' }] });
  const published = () => shop.files('2026-10');
  await shop.close('2026-10');
  const without = await published();
  expect(without.has('working-papers.xlsx')).toBe(false);

  await shop.told(0, 'close', '2026-10', '--working-papers');
  const drawn = await shop.rows('Sampling', '2026-10', 'working-papers');
  expect(new Set(drawn.map((row) => row['Transaction']))).toEqual(new Set(['2']));
  await shop.close('2026-10');
  expect(await published()).toEqual(without);

  await shop.told(0, 'close', '2026-10', '--working-papers');
  await shop.told(0, 'close', '2026-10', '--recheck', '--output', join(shop.folder, 'again'));
  await shop.told(0, 'sign', '2026-10', '--as', 'Dana Reyes', '--role', 'preparer');
  await shop.told(0, 'lock', '2026-10', '--as', 'Dana Reyes');
  expect((await published()).has('working-papers.xlsx')).toBe(true);
  expect(await shop.verify('2026-10')).toEqual([]);
});

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
  const away: Order = { name: '#2', at: '2026-08-14', price: '80.00', tax: '0.00', to: SEATTLE };
  const shop = await month({
    orders: {
      'own.csv': [{ name: '#1', at: '2026-07-10' }, away],
      'market.csv': [
        { name: '#3', at: '2026-07-10', price: '40.00', tax: '0.00', to: OAKLAND },
        { ...away, name: '#4', at: '2026-07-14', price: '30.00' },
      ],
    },
    settings: {
      registrations: [{ state: 'CA', since: '2019-01-01', frequency: 'quarterly' }],
      channels: [
        { name: 'shopify', files: ['own.csv'] },
        { name: 'market', files: ['market.csv'], profile: 'shopify.orders', marketplace: true },
      ],
    },
  });
  const page = () => shop.read('out/shop/2026-Q3/report.html');
  await shop.close('2026-Q3');
  const NOT_MEASURED = 'Not measured: no month with sales into a state with a threshold was closed here';
  expect(await page()).toContain(NOT_MEASURED);
  expect(await shop.rows('Nexus', '2026-Q3', 'filing-summary')).toEqual([]);
  for (const period of ['2026-07', '2026-08', '2026-Q3']) await shop.close(period);
  const nexus = await shop.rows('Nexus', '2026-Q3', 'filing-summary');
  expect(nexus).toMatchObject([
    { State: 'CA', Status: 'registered', 'All sales': 140, 'On marketplaces': 40 },
    { State: 'WA', Status: 'below', 'All sales': 110, 'On marketplaces': 30, 'Sales that count': 110 },
  ]);
  expect(await page()).toContain('The states by nexus: 1 registered, 0 crossed');
  expect(await shop.verify('2026-Q3')).toEqual([]);
});

const MONTHS = ['06', '07', '08', '09'].map((number) => `2026-${number}`);
const ORDERS = MONTHS.map(
  (at, index): Order => ({ name: `#${index + 1}`, at: `${at}-14`, to: SEATTLE, tax: '10.55' }),
);

test('a shop that files by quarter from the middle of a year has each month on one return, with what its credits left', async () => {
  const registration = {
    ...{ state: 'WA', since: '2019-01-01', credits: [{ period: '2026-06', opening: '100.00' }] },
    frequency: [
      { from: '2026-01-01', value: 'monthly' },
      { from: '2026-07-01', value: 'quarterly' },
    ],
  };
  const shop = await month({ orders: ORDERS, settings: { registrations: [registration] } });
  for (const period of MONTHS) await lockClosed(shop, period);
  for (const period of ['2026-Q3', '2026-06..2026-09']) await shop.close(period);
  const { periods, unclosed } = await shop.told<Record<'periods' | 'unclosed', object[]>>(0, 'status');
  const due = (period: string, status: string) =>
    expect.objectContaining({ period, returns: [expect.objectContaining({ status })] });
  expect([periods.length, unclosed]).toEqual([6, []]);
  expect(periods).toEqual(
    expect.arrayContaining([
      ...['2026-06', '2026-Q3'].map((period) => due(period, 'TO FILE')),
      ...['2026-07', '2026-08', '2026-09'].map((period) => due(period, 'NOT DUE')),
    ]),
  );
  const rows = await shop.rows('Prepayments', '2026-Q3', 'filing-summary');
  expect(rows.find((row) => row['Kind'] === 'credits')?.['Opening']).toBe(89.45);
});

test('what was filed before days were counted in another zone stays where it was filed', async () => {
  const evening = { name: '#1', at: '2026-10-31 23:30:00 -0700' };
  const shop = await month({ orders: [evening] });
  await lockClosed(shop, '2026-10');

  await shop.change({ orders: [evening, { name: '#2' }], settings: { timeZone: 'America/New_York' } });
  await amendLate(shop, '2026-10', '2026-11');
  expect(await shop.verify('2026-10-amended-1')).toEqual([]);

  // By the day that it has now, the service has #1 in November.
  expect(openOf(await shop.close('2026-11')).map(({ code }) => code)).toEqual(['no-sales']);
});

test('a tax that was changed after the lock is said, and what takes the filed record back is no refund', async () => {
  const shop = await month({ orders: [{ name: '#1' }] });
  await lockClosed(shop, '2026-10');
  await shop.change({
    orders: [
      { name: '#1', tax: '7.25' },
      { name: '#2', at: '2026-11-02' },
    ],
  });
  const said =
    'Late arrival: of 2026-10-10, changed after 2026-10 was locked: 0.00 gross, -3.50 tax collected, 0.00 tax due';
  expect(messagesOf(await shop.close('2026-11'), 'R17')).toEqual([`${said}; answer it in decisions.csv`]);
  await carryLate(shop, '2026-11');
  const carried = await shop.close('2026-11');
  expect(messagesOf(carried, 'R17')).toEqual([]);
  expect(messagesOf(carried, 'late-filed')).toEqual([`${said}, filed here`]);
  expect(messagesOf(carried, 'over-refund')).toEqual([]);
  expect(await shop.rows('Refunds', '2026-11')).toEqual([]);
  expect(await shop.verify('2026-11')).toEqual([]);
});
