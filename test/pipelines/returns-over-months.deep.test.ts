import { describe, expect, test } from 'vitest';
import { amendLate } from '../support/decisions.ts';
import { month } from '../support/month.ts';
import type { Order } from '../support/shop-exports.ts';

const NEWARK = { city: 'Newark', zip: '07102', state: 'NJ' };
const MONTHS = ['2025-07', '2025-08', '2025-09'];
const QUARTER = '2025-Q3';

const since = '2019-01-01';

/** 662.50 of July, 795.00 of August and 265.00 of September. */
const ORDERS: readonly Order[] = [
  { name: '#1', at: '2025-07-10', to: NEWARK, price: '10000.00', tax: '662.50' },
  { name: '#2', at: '2025-08-10', to: NEWARK, price: '12000.00', tax: '795.00' },
  { name: '#3', at: '2025-09-10', to: NEWARK, price: '4000.00', tax: '265.00' },
];
const LATE: Order = { name: '#4', at: '2025-08-20', to: NEWARK, price: '1000.00', tax: '66.25' };

const settings = (more: object = {}) => ({ registrations: [{ state: 'NJ', since, ...more }] });
const shopWith = (more: object = {}, orders = ORDERS) => month({ orders, settings: settings(more) });
type Shop = Awaited<ReturnType<typeof shopWith>>;

const closeAll = async (shop: Shop, periods: readonly string[]): Promise<void> => {
  for (const period of periods) expect((await shop.run('close', period)).code).toBe(0);
};
const lockAll = async (shop: Shop, periods: readonly string[]): Promise<void> => {
  for (const period of periods) await shop.told(0, 'lock', period, '--as', 'Dana');
};
const lineOf = async (shop: Shop, line: string, period = QUARTER): Promise<unknown> => {
  const rows = await shop.rows('Return_NJ', period, 'filing-summary');
  return rows.find((row) => String(row['Line']) === line)?.['Amount'];
};
const statusOf = async (shop: Shop, period = QUARTER): Promise<string> =>
  (await shop.run('status', period)).stdout;

describe('the quarter of a state that wants monthly payments', () => {
  test('takes off what the months paid, in its return, its journal and its prepayments', async () => {
    const shop = await shopWith();
    await closeAll(shop, [...MONTHS, QUARTER]);
    expect([await lineOf(shop, '6'), await lineOf(shop, '7'), await lineOf(shop, '9')]).toEqual([
      1722.5, 1457.5, 265,
    ]);
    expect(await statusOf(shop)).toMatch(/NJ {2}TO FILE {2}265\.00 {2}OVERDUE, pay by Mon, Oct 20, 2025/);
    expect(await statusOf(shop)).toContain('To pay: 265.00');
    const journal = await shop.rows('Journal', QUARTER, 'filing-summary');
    expect(journal.map((row) => [row['Account'], row['Debit'], row['Credit']])).toEqual([
      ['Sales tax payable', 265, null],
      ['Due to tax authority', null, 265],
    ]);
    const [paid] = await shop.rows('Prepayments', QUARTER, 'filing-summary');
    expect([paid?.['Added'], paid?.['Used'], paid?.['Closing']]).toEqual([1457.5, 1457.5, 0]);
    const [due] = await shop.rows('Pay', QUARTER, 'filing-summary');
    expect([due?.['Return'], due?.['To pay'], due?.['Due']]).toEqual(['ST-50', 265, 'Oct 20, 2025']);
    expect(await shop.verify(QUARTER)).toEqual([]);
  });

  test('takes off nothing for a month without a payment, and keeps what was paid beyond its tax', async () => {
    const small = ORDERS.map((order) =>
      order.name === '#1' ? { ...order, price: '1000.00', tax: '66.25' } : order,
    );
    const shop = await shopWith({}, small);
    await closeAll(shop, [...MONTHS, QUARTER]);
    expect([await lineOf(shop, '7'), await lineOf(shop, '9')]).toEqual([795, 331.25]);
    const back = { order: '#2', at: '2025-09-20 12:00:00 -0700', amount: '12795.00' };
    await shop.change({
      orders: small.map((order) => (order.name === '#2' ? { ...order, refunded: '12795.00' } : order)),
      refunds: [back],
    });
    await closeAll(shop, [...MONTHS, QUARTER]);
    expect([await lineOf(shop, '6'), await lineOf(shop, '7'), await lineOf(shop, '9')]).toEqual([
      331.25, 331.25, 0,
    ]);
    const journal = await shop.rows('Journal', QUARTER, 'filing-summary');
    expect(journal.map((row) => [row['Account'], row['Debit'], row['Credit']])).toEqual([
      ['Sales tax payable', null, 463.75],
      ['Prepaid sales tax', 463.75, null],
    ]);
    // The next month opens with what the quarter left, not with what September left.
    await shop.close('2025-10');
    const [opened] = await shop.rows('Prepayments', '2025-10', 'filing-summary');
    expect(opened?.['Opening']).toBe(463.75);
  });

  test('is not ready while a month that may have been paid was not closed', async () => {
    const shop = await shopWith();
    const { stdout } = await shop.run('close', QUARTER, '--json');
    expect(JSON.parse(stdout).readiness.reasons).toEqual([
      expect.objectContaining({ code: 'paid-before-unknown', state: 'NJ' }),
    ]);
    expect(await shop.verify(QUARTER)).toEqual([]);
    await shop.change({
      settings: settings({ prepayments: [{ period: QUARTER, added: '1457.50' }] }),
    });
    await closeAll(shop, [QUARTER]);
    expect(await lineOf(shop, '9')).toBe(265);
  });
});

describe('a quarter over locked months', () => {
  test('is locked for its returns after its months, and unlocked before them', async () => {
    const shop = await shopWith();
    await closeAll(shop, MONTHS);
    await lockAll(shop, MONTHS.slice(0, 1));
    await closeAll(shop, [QUARTER]);
    expect(await shop.refused('lock', QUARTER, '--as', 'Dana')).toBe('E_PERIOD_OVERLAP');
    await lockAll(shop, MONTHS.slice(1));
    await closeAll(shop, [QUARTER]);
    await lockAll(shop, [QUARTER]);
    expect(await shop.verify(QUARTER)).toEqual([]);
    const before = await shop.files(QUARTER);
    await closeAll(shop, [QUARTER]);
    expect(await shop.files(QUARTER)).toEqual(before);
    expect(await shop.refused('unlock', '2025-08', '--reason', 'why')).toBe('E_PERIOD_BOUND');
    expect((await shop.run('unlock', QUARTER, '--reason', 'why')).code).toBe(0);
    expect((await shop.run('unlock', '2025-09', '--reason', 'why')).code).toBe(0);
  });

  test('is amended when a month within it was amended after its lock', async () => {
    const shop = await shopWith();
    await closeAll(shop, MONTHS);
    await lockAll(shop, MONTHS);
    await closeAll(shop, [QUARTER]);
    await lockAll(shop, [QUARTER]);
    await shop.change({ orders: [...ORDERS, LATE] });
    await amendLate(shop, '2025-08', '2025-10');
    await shop.close(QUARTER, '--amend');
    await lockAll(shop, ['2025-Q3-amended-1']);
    expect(await lineOf(shop, '7', '2025-Q3-amended-1')).toBe(1523.75);
    expect(await lineOf(shop, '7')).toBe(1457.5);
    // August paid what came late; the quarter has nothing more to pay, and nothing to book.
    const paid = async (label: string) =>
      (await shop.rows('Pay', label, 'filing-summary')).map((row) => row['To pay']);
    expect([await paid('2025-08-amended-1'), await paid('2025-Q3-amended-1')]).toEqual([[66.25], [0]]);
    const [entry] = await shop.rows('Journal', '2025-Q3-amended-1', 'filing-summary');
    expect(entry?.['Account']).toBeNull();
    expect(await shop.verify('2025-Q3-amended-1')).toEqual([]);
  });
});
