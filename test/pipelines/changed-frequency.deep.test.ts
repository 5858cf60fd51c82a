import { describe, expect, test } from 'vitest';
import { amendLate } from '../support/decisions.ts';
import { messagesOf } from '../support/figures.ts';
import { type Month, month, type Settings } from '../support/month.ts';
import { sheetText } from '../support/sheets.ts';
import { type Order, type Place, SEATTLE } from '../support/shop-exports.ts';

const NEWARK: Place = { city: 'Newark', zip: '07102', state: 'NJ' };
const MONTHS = ['2025-07', '2025-08', '2025-09'] as const;
const [JULY, AUGUST, SEPTEMBER] = MONTHS;
const QUARTER = '2025-Q3';

const filing = (state: string, frequency: string): Settings => ({
  registrations: [{ state, since: '2019-01-01', frequency }],
});

/** A shop in California that files so often, with 10.25 of tax in each month. */
const californian = (frequency: string): Promise<Month> =>
  month({
    orders: MONTHS.map((at, index) => ({ name: `#${index + 1}`, at: `${at}-10`, tax: '10.25' })),
    settings: filing('CA', frequency),
  });

const lockAll = async (shop: Month, periods: readonly string[]): Promise<void> => {
  for (const period of periods) {
    await shop.close(period);
    await shop.told(0, 'lock', period, '--as', 'Dana', '--open-exceptions', 'known');
  }
};

/** The returns of Pay: form, status and amount. */
const pay = async (shop: Month, period: string): Promise<readonly unknown[]> =>
  (await shop.rows('Pay', period, 'filing-summary')).map((row) => [row['Return'], row['To pay']]);

const status = async (shop: Month, ...args: readonly string[]): Promise<string> =>
  (await shop.run('status', ...args)).stdout;

test('months that were filed by themselves stay filed when the state wants a quarter, and are not asked for again', async () => {
  const shop = await californian('monthly');
  await lockAll(shop, MONTHS);
  await shop.change({ settings: filing('CA', 'quarterly') });
  const told = await status(shop);
  expect(told).not.toContain('not closed');
  expect(told.match(/CA {2}FILED/g)).toHaveLength(3);
  const figures = await shop.close(QUARTER);
  expect(figures.readiness.reasons).toEqual([
    expect.objectContaining({ code: 'several-periods', state: 'CA' }),
  ]);
  expect(await status(shop, QUARTER)).toMatch(/CA {2}OTHER PERIOD/);
  expect(await status(shop, QUARTER)).not.toContain('To pay now');
});

test('a longer frequency begins with the first of its periods of which no month was filed by itself', async () => {
  const shop = await californian('monthly');
  await lockAll(shop, [JULY]);
  await shop.change({ settings: filing('CA', 'quarterly') });
  await shop.close(AUGUST);
  expect(await status(shop, AUGUST)).toMatch(/CA {2}READY/);
  await lockAll(shop, [AUGUST, SEPTEMBER]);
  await shop.close('2025-10');
  expect(await status(shop, '2025-10')).toMatch(/CA {2}NOT DUE .* with 2025-Q4/);
});

test('a quarter that was filed stays filed when the state wants months', async () => {
  const shop = await californian('quarterly');
  await lockAll(shop, [...MONTHS, QUARTER]);
  const before = await status(shop);
  expect(before).toMatch(/CA {2}FILED {2}31\.00/);
  await shop.change({ settings: filing('CA', 'monthly') });
  expect(await status(shop)).toBe(before);
});

test('a quarter of which months were locked as parts of it stays one return when the state wants months', async () => {
  const shop = await californian('quarterly');
  await lockAll(shop, [JULY, AUGUST]);
  await shop.change({ settings: filing('CA', 'monthly') });
  expect((await shop.close(QUARTER)).readiness.reasons).toEqual([]);
  await lockAll(shop, [SEPTEMBER]);
  expect(await status(shop, SEPTEMBER)).toMatch(/CA {2}NOT DUE .* with 2025-Q3/);
  await lockAll(shop, [QUARTER]);
  expect(await status(shop, QUARTER)).toMatch(/CA {2}FILED {2}31\.00/);
  await shop.close('2025-10');
  expect(await status(shop, '2025-10')).toMatch(/CA {2}NOT READY .* no-sales/);
});

test('a shorter frequency begins at once where the locked parts of the longer return are unlocked', async () => {
  const shop = await californian('quarterly');
  await lockAll(shop, [JULY]);
  await shop.change({ settings: filing('CA', 'monthly') });
  await shop.told(0, 'unlock', JULY, '--as', 'Dana', '--reason', 'the state wants months from July');
  await lockAll(shop, [JULY, AUGUST]);
  for (const label of [JULY, AUGUST]) expect(await status(shop, label)).toMatch(/CA {2}FILED/);
});

test('what came late to a filed month is paid once, in its month, however often returns are filed now', async () => {
  const orders: readonly Order[] = [
    { name: '#1', at: '2025-07-10', to: NEWARK, price: '10000.00', tax: '662.50' },
    { name: '#2', at: '2025-08-10', to: NEWARK, price: '12000.00', tax: '795.00' },
    { name: '#3', at: '2025-09-10', to: NEWARK, price: '4000.00', tax: '265.00' },
  ];
  const shop = await month({ orders, settings: filing('NJ', 'monthly') });
  await lockAll(shop, [...MONTHS, QUARTER]);
  await shop.change({
    settings: filing('NJ', 'quarterly'),
    orders: [...orders, { name: '#4', at: '2025-08-20', to: NEWARK, price: '1000.00', tax: '66.25' }],
  });
  await shop.told(0, 'late', AUGUST, '--amend', '--as', 'Dana');
  await shop.told(0, 'late', QUARTER, '--amend', '--as', 'Dana');
  expect(await pay(shop, `${AUGUST}-amended-1`)).toEqual([['ST-51', 66.25]]);
  expect(await pay(shop, `${QUARTER}-amended-1`)).toEqual([['ST-50', 0]]);
  expect(await shop.verify(`${QUARTER}-amended-1`)).toEqual([]);
});

test('what came late to a month that was not required is paid with the longer return that had its tax', async () => {
  const orders: readonly Order[] = [
    { name: '#1', at: '2025-07-10', to: NEWARK, price: '7245.28', tax: '480.00' },
    { name: '#2', at: '2025-08-10', to: NEWARK, price: '1000.00', tax: '66.25' },
    { name: '#3', at: '2025-09-10', to: NEWARK, price: '1000.00', tax: '66.25' },
  ];
  const shop = await month({ orders, settings: filing('NJ', 'monthly') });
  await lockAll(shop, [...MONTHS, QUARTER]);
  expect(await status(shop, QUARTER)).toMatch(/NJ {2}FILED {2}612\.50/);
  await shop.change({
    orders: [...orders, { name: '#4', at: '2025-07-20', to: NEWARK, price: '754.72', tax: '50.00' }],
  });
  await shop.told(0, 'late', JULY, '--amend', '--as', 'Dana');
  expect(await status(shop, `${JULY}-amended-1`)).toMatch(/NJ {2}NOT REQUIRED {2}530\.00 {2}on ST-50/);
  expect(await sheetText(shop.book(`${JULY}-amended-1`, 'filing-summary'), 'Pay')).toContain(
    'No amended ST-51: ST-50 of 2025-Q3 was filed with the tax of this period. That tax is now 530.00.',
  );
  await shop.told(0, 'late', QUARTER, '--amend', '--as', 'Dana');
  expect(await pay(shop, `${QUARTER}-amended-1`)).toEqual([['ST-50', 50]]);
  for (const version of [`${JULY}-amended-1`, `${QUARTER}-amended-1`])
    expect(await shop.verify(version)).toEqual([]);
});

test('a place that files for itself keeps the frequency with which its month was closed', async () => {
  const colorado = (frequency: string): Settings => ({
    registrations: [
      {
        ...{ state: 'CO', since: '2019-01-01', deliveryFee: 'none' },
        localReturns: [{ place: 'Denver', frequency }],
      },
    ],
  });
  const sale = { to: { city: 'Denver', zip: '80202', state: 'CO' }, tax: '9.15' };
  const shop = await month({ template: [{ name: '#1', ...sale }], settings: colorado('quarterly') });
  await lockAll(shop, ['2026-10']);
  await shop.change({
    settings: colorado('monthly'),
    template: ['#1', '#2'].map((name) => ({ name, ...sale })),
  });
  await amendLate(shop, '2026-10', '2026-11');
  for (const version of ['2026-10', '2026-10-amended-1']) {
    const told = await status(shop, version);
    expect(told).toMatch(/CO {9}FILED/);
    expect(told).toMatch(/CO Denver {2}NOT DUE .* with 2026-Q4/);
  }
});

describe('what is left of a credit', () => {
  const months = ['2026-07', '2026-08', '2026-09'];
  const orders: readonly Order[] = months.map((at, index) => ({
    ...{ name: `#${index + 1}`, at: `${at}-14`, to: SEATTLE, tax: '10.55' },
  }));
  const washington = (frequency: string, period: string): Settings => ({
    registrations: [
      { state: 'WA', since: '2019-01-01', frequency, credits: [{ period, opening: '100.00' }] },
    ],
  });

  test.each([
    ['monthly', '2026-07', months, 'quarterly', '2026-Q4'],
    ['quarterly', '2026-Q3', [...months, '2026-Q3'], 'monthly', '2026-10'],
    ['quarterly', '2026-Q3', [...months, '2026-Q3'], 'quarterly', '2026-10..2026-12'],
  ] as const)(
    'of %s returns from %s opens the next return, whatever its length and its label',
    async (...of) => {
      const [before, first, closed, after, next] = of;
      const shop = await month({ orders, settings: washington(before, first) });
      await lockAll(shop, closed);
      await shop.change({ settings: washington(after, first) });
      const { exceptions } = await shop.close(next);
      expect(exceptions.map(({ code }) => code)).not.toContain('balance-unknown');
      const rows = await shop.rows('Prepayments', next, 'filing-summary');
      expect(rows.find((row) => row['Kind'] === 'credits')?.['Opening']).toBe(68.35);
    },
  );
});

test.each([
  ['monthly', ['2026-08', '2026-09'], 'quarterly', '2026-Q4', '2026-09'],
  ['quarterly', ['2026-Q3'], 'monthly', '2026-10', '2026-Q3'],
] as const)(
  'a credit in which the last of %s returns %s ended is named by the first %s one',
  async (...of) => {
    const [before, closed, after, next, named] = of;
    const orders: readonly Order[] = [
      { name: '#1', at: '2026-06-14', to: SEATTLE, tax: '10.55', refundedOn: '2026-09-10' },
      { name: '#2', at: '2026-10-14', to: SEATTLE, tax: '10.55' },
    ];
    const shop = await month({ orders, settings: filing('WA', before) });
    await lockAll(shop, closed);
    await shop.change({ settings: filing('WA', after) });
    expect(messagesOf(await shop.close(next), 'credit-not-taken')).toEqual([
      `the return of WA for ${named} ended in a credit of 10.55, which this return does not use`,
    ]);
  },
);
