import { describe, expect, test } from 'vitest';
import { answerLate } from '../support/decisions.ts';
import { errorsOf, type Figures, openOf } from '../support/figures.ts';
import { preparedMonth } from '../support/prepared-month.ts';
import type { Order } from '../support/shop-exports.ts';

const OCT: readonly Order[] = [
  { name: '#1' },
  { name: '#2', price: '200.00' },
  { name: '#3', price: '50.00' },
];
const NOV: Order = { name: '#9', at: '2026-11-10', price: '10.00' };
const LATE: Order = { name: '#4', at: '2026-10-30', price: '80.00' };
const CHANGED: Order = { name: '#2', price: '150.00' };
const REFUNDED: Order = { name: '#1', refundedOn: '2026-11-05' };
const EARLY = ['--open-exceptions', 'filed early'];

const lockedShop = preparedMonth({ orders: OCT }, async (shop) => {
  await shop.told(0, 'close', '2026-10');
  await shop.told(0, 'lock', '2026-10');
});

/** October locked; then an export with a late order, a changed one, a late refund, a duplicate, one less. */
const lateShop = async (settings = {}) => {
  const shop = await lockedShop();
  const before = await shop.files('2026-10');
  await shop.change({ orders: { 'nov.csv': [REFUNDED, CHANGED, LATE, NOV] }, settings });
  return { ...shop, before };
};

const totalsOf = ({ totals }: Figures) => ({
  gross: totals['gross'],
  collected: totals['collected'],
  expected: totals['expected'],
});

describe('what comes late for a locked period', () => {
  test('keeps the next close open until somebody answers, and the close of the locked one touches nothing', async () => {
    const shop = await lateShop();
    const asked = await shop.told(1, 'close', '2026-11');
    const late = asked.exceptions.filter(({ code }) => code === 'R17');
    expect(late.map(({ record, severity, effect }) => `${record} ${severity} ${effect}`)).toEqual([
      '#2 error -5.37',
      '#4 error 8.60',
    ]);
    expect(totalsOf(asked)).toEqual({ gross: '-90.00', collected: '-9.67', expected: '-9.67' });
    const again = await shop.run('close', '2026-10');
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('its folder stays as it is')]);
    expect(await shop.files('2026-10')).toEqual(shop.before);
    expect(errorsOf(await shop.close('2026-12'))).toEqual(['no-sales 2026-12']);
  });

  test('is filed with the next open period, so that the sums are those of one close that knew all', async () => {
    const shop = await lateShop();
    await shop.told(1, 'close', '2026-11');
    await answerLate(shop, '2026-11', 'next');
    const closed = await shop.told(0, 'close', '2026-11');
    expect(totalsOf(closed)).toEqual({ gross: '-60.00', collected: '-6.44', expected: '-6.44' });
    expect(closed.submissions).toMatchObject({
      created: 3,
      unchanged: 2,
      refused: 0,
      conflicts: 0,
    });
    const detail = await shop.detail('2026-11');
    expect(
      detail.map((row) => `${row['Transaction']} ${row['Kind']} ${row['Gross']} ${row['Status']}`),
    ).toEqual([
      '2-late-1 order 150 tied out',
      '2-late-1-reversal refund -200 tied out',
      '4 order 80 tied out',
      '1-refund refund -100 tied out',
      '9 order 10 tied out',
    ]);
    const filed = (await shop.rows('Exceptions', '2026-11')).filter((row) => row['Code'] === 'late-filed');
    expect(filed.map((row) => [row['Record'], row['File and line'], row['What']])).toEqual([
      ['2', 'nov.csv:3', expect.stringContaining(' -50.00 gross')],
      ['4', 'nov.csv:4', expect.stringContaining(' 80.00 gross')],
    ]);
    const november = await shop.files('2026-11');
    await shop.told(0, 'close', '2026-11');
    expect(await shop.files('2026-11')).toEqual(november);
    expect(await shop.verify('2026-11')).toEqual([]);
    await shop.told(0, 'lock', '2026-11', ...EARLY);
    expect(errorsOf(await shop.close('2026-12'))).toEqual(['no-sales 2026-12']);
  });

  test('is for a person to decide where the same bytes are read otherwise, whatever the policy', async () => {
    const shop = await lockedShop();
    await shop.change({ channel: { marketplace: true }, settings: { policy: { lateItems: 'carry' } } });
    expect(errorsOf(await shop.told(1, 'close', '2026-11'))).toEqual(['R17 #1', 'no-sales 2026-11']);
  });

  test('a rejected record of a locked period is seen with the next close', async () => {
    const shop = await lockedShop();
    await shop.change({ orders: { 'orders.csv': [{ name: '#5', price: 'x' }, NOV] } });
    const closed = await shop.told(1, 'close', '2026-11');
    expect(openOf(closed)).toMatchObject([{ record: '#5' }]);
    const [rejects] = [...(await shop.files('2026-11'))].find(([path]) => path.includes('rejects')) ?? [];
    expect(await shop.read(`out/shop/2026-11/${rejects}`)).toContain('#5');
  });
});

test('unlocking wants a reason, makes the period an open one, and takes locks in turn', async () => {
  const shop = await lateShop();
  expect(await shop.refused('unlock', '2026-10')).toBe('E_REASON_MISSING');
  await shop.told(1, 'close', '2026-11');
  await answerLate(shop, '2026-11', 'next');
  await shop.told(0, 'close', '2026-11');
  await shop.told(0, 'lock', '2026-11', ...EARLY);
  expect(await shop.refused('unlock', '2026-10', '--reason', 'x')).toBe('E_PERIOD_BOUND');
  await shop.told(0, 'unlock', '2026-11', '--reason', 'wrong export');
  expect(await shop.told(0, 'unlock', '2026-10', '--reason', 'wrong export', '--as', 'Ada')).toMatchObject({
    close_again: ['2026-11'],
  });
  expect(await shop.refused('unlock', '2026-10', '--reason', 'again')).toBe('E_PERIOD_NOT_LOCKED');
  // What was recorded for its corrections is asked about, as anything that no sale stands for.
  await shop.change({ orders: { 'orders.csv': OCT, 'nov.csv': [REFUNDED, CHANGED, LATE, NOV] } });
  const { stdout } = await shop.run('close', '2026-10', '--json');
  expect(errorsOf(JSON.parse(stdout))).toContain('R20 2-late-1');
});
