import { describe, expect, test } from 'vitest';
import { accepting } from '../support/accepting.ts';
import { openOf } from '../support/figures.ts';
import { month } from '../support/month.ts';

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

test('a channel that sold until the month before, and in the month nothing, is open: its export may be the old one', async () => {
  expect(await openIn(['2026-09-10', '2026-09-30'])).toEqual([
    [
      'no-channel-sales',
      'outlet 2026-10',
      'the exports of "outlet" hold no order of the period, and their last one before it is of 2026-09-30',
    ],
  ]);
});

test('a channel whose export has a header and no rows is open as well', async () => {
  expect(await openIn([])).toEqual([
    ['no-channel-sales', 'outlet 2026-10', 'the exports of "outlet" have a header and no rows'],
  ]);
});

const REFUNDED = { name: '#901', at: '2026-09-30', refundedOn: '2026-10-02' };

describe('a month in which no channel has an order', () => {
  const QUIET = { record: '2026-10', code: 'no-sales', why: 'closed for the season' };

  test('is open although a refund is of it, until it is known to be quiet', async () => {
    const shop = await month({ orders: [REFUNDED] });
    expect(openOf(await shop.close()).map(({ code, record }) => [code, record])).toEqual([
      ['no-sales', '2026-10'],
    ]);
    await shop.write('decisions.csv', accepting('2026-10', QUIET));
    expect((await shop.close()).exit_code).toBe(0);
  });
});

const ACCEPTED = { record: 'outlet 2026-10', code: 'no-channel-sales', why: 'closed for the season' };

test.for([
  ['sold something', ['2026-09-30', '2026-10-31'], ''],
  ['has been quiet for longer', ['2026-08-31'], ''],
  ['is known to be quiet', ['2026-09-30'], accepting('2026-10', ACCEPTED)],
] as const)('one that %s is not', async ([, days, decisions]) => {
  expect(await openIn(days, decisions)).toEqual([]);
});
