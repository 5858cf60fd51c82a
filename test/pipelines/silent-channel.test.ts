import { expect, test } from 'vitest';
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

const openIn = async (outletDays: readonly string[], settings = {}) =>
  openOf(await (await shopWith(outletDays, settings)).close()).map(({ code, record, message }) => [
    code,
    record,
    message,
  ]);

test('a channel that sold until the month before, and in the month nothing, is open: its export may be the old one', async () => {
  expect(await openIn(['2026-09-10', '2026-09-30'])).toEqual([
    [
      'no-channel-sales',
      'outlet 2026-10',
      'the exports of "outlet" hold no sale of the period, and their last one before it is of 2026-09-30',
    ],
  ]);
});

test('a channel whose export has a header and no rows is open as well', async () => {
  expect(await openIn([])).toEqual([
    ['no-channel-sales', 'outlet 2026-10', 'the exports of "outlet" have a header and no rows'],
  ]);
});

const ACCEPTED = { record: 'outlet 2026-10', code: 'no-channel-sales', why: 'closed for the season' };

test.for([
  ['sold something', ['2026-09-30', '2026-10-31'], {}],
  ['has been quiet for longer', ['2026-08-31'], {}],
  ['is known to be quiet', ['2026-09-30'], { policy: { accept: [ACCEPTED] } }],
] as const)('one that %s is not', async ([, days, settings]) => {
  expect(await openIn(days, settings)).toEqual([]);
});

test('it is named before anything is calculated, too', async () => {
  const named = (await shopWith(['2026-09-10', '2026-09-30'])).closeWith();
  expect((await named).silent).toEqual([
    'the exports of "outlet" hold no sale of the period, and their last one before it is of 2026-09-30',
  ]);
  expect((await (await shopWith(['2026-10-31'])).closeWith()).silent).toEqual([]);
});
