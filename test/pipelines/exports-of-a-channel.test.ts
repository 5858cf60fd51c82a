import { expect, test } from 'vitest';
import { accepting } from '../support/accepting.ts';
import { decide, lockClosed } from '../support/decisions.ts';
import { openOf } from '../support/figures.ts';
import { month, type Settings } from '../support/month.ts';
import { LAS_VEGAS, type Order, SEATTLE } from '../support/shop-exports.ts';

/** Two channels, of which the second sold something on these days. */
const shopWith = (outletDays: readonly string[], settings = {}) =>
  month({
    orders: {
      'orders.csv': [{ name: '#1' }],
      'outlet.csv': outletDays.map((at, index) => ({ name: `#${901 + index}`, at })),
    },
    settings: {
      channels: [
        { name: 'shopify', files: ['orders.csv'] },
        { name: 'outlet', files: ['outlet.csv'] },
      ],
      ...settings,
    },
  });

const openIn = async (outletDays: readonly string[], decisions = '') => {
  const shop = await shopWith(outletDays);
  if (decisions !== '') await shop.write('decisions.csv', decisions);
  return openOf(await shop.close()).map(({ code, record, message }) => [code, record, message]);
};

const ACCEPTED = { record: 'outlet 2026-10', code: 'no-channel-sales', why: 'closed for the season' };

test('a channel is asked about whose files have no row, or none that locked months have not settled', async () => {
  const asked = [
    ['no-channel-sales', 'outlet 2026-10', 'the exports of "outlet" hold no order of the period'],
  ];
  expect(await openIn([])).toEqual(asked);
  const shop = await shopWith(['2026-09-15']);
  await shop.close('2026-09');
  await lockClosed(shop, '2026-09');
  const open = openOf(await shop.close());
  expect(open.map(({ code, record, message }) => [code, record, message])).toEqual(asked);
});

test.for([
  ['sold something', ['2026-09-30', '2026-10-31'], ''],
  ['has been quiet for longer', ['2026-08-31'], ''],
  ['is known to be quiet', ['2026-09-30'], accepting('2026-10', ACCEPTED)],
] as const)('one that %s is not', async ([, days, decisions]) => {
  expect(await openIn(days, decisions)).toEqual([]);
});

test.for([['orders.csv'], ['*.csv']])(
  'answers and filings beside the exports are none: %s',
  async (files) => {
    const shop = await month({ orders: [{ name: '#1' }], channel: { files } });
    await shop.write('filings.csv', 'period,return,filed on,confirmation\n2026-09,CA,2026-10-03,C-1\n');
    await decide(shop, []);
    expect((await shop.close()).exceptions).toEqual([]);
  },
);

/** Three orders and a refund in October, one order of them in November; the shop shows some totals of its own. */
const shopThatShows = (expected: readonly Settings[]) =>
  month({
    orders: [
      { name: '#1' },
      { name: '#2', refundedOn: '2026-10-20' },
      { name: '#3', price: '40.00' },
      { name: '#4', at: '2026-11-02' },
    ],
    channel: { expected },
  });

test('totals that the shop itself shows are compared with the exports of the period', async () => {
  const shop = await shopThatShows([
    { period: '2026-10', orders: 3, refunds: 1, gross: '140.00', tax: '15.05' },
    { period: '2026-11', orders: 9 },
  ]);
  expect(await shop.close()).toMatchObject({ exit_code: 0, exceptions: [] });
  const other = await shopThatShows([{ period: '2026-10', orders: 3, tax: '15.06' }]);
  expect(await other.close()).toMatchObject({ exit_code: 1, exceptions: [{ code: 'expected-tax' }] });
});

/** A month whose orders with the status "pending" have one that no profile knows. */
const withUnknownStatus = async (
  orders: readonly Order[],
  edit: (export_: string) => string = (text) => text,
) => {
  const shop = await month({
    orders,
    settings: {
      registrations: [
        { state: 'CA', since: '2019-01-01' },
        { state: 'WA', since: '2019-01-01' },
      ],
    },
  });
  const text = await shop.read('orders.csv');
  await shop.write('orders.csv', edit(text.replaceAll('pending', 'settled')));
  await shop.close();
  const pay = await shop.rows('Pay', '2026-10', 'filing-summary');
  return {
    ...shop,
    pay: pay.map((row) => [row['State'], row['Status']]),
    exceptions: (await shop.rows('Exceptions')).filter((row) => row['Code'] === 'unmapped-status'),
  };
};

const PAID: Order = { name: '#1' };
test('a rejected row has the tax and the state that it states, and keeps open the return of that state alone', async () => {
  const { pay, exceptions, verify } = await withUnknownStatus([
    PAID,
    { name: '#2', status: 'pending', tax: '10.35', to: SEATTLE },
  ]);
  expect(exceptions).toMatchObject([{ State: 'WA', 'Effect on tax': 10.35 }]);
  expect(pay).toEqual([
    ['WA', '✕ BLOCKED'],
    ['CA', '✓ TO FILE'],
  ]);
  expect(await verify()).toEqual([]);
});

test('tax in another currency, and a place that cannot be read, are not taken as they stand', async () => {
  const { exceptions } = await withUnknownStatus([
    PAID,
    { name: '#2', status: 'pending', currency: 'EUR', to: SEATTLE },
    { name: '#3', status: 'pending', tax: '1.00', to: { ...LAS_VEGAS, state: 'Nowhere' } },
  ]);
  expect(exceptions.map((row) => [row['State'], row['Effect on tax']])).toEqual([
    ['WA', null],
    [null, 1],
  ]);
  expect(exceptions[0]?.['What']).toMatch(/^Effect unknown: /);
});
