import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runningShop, type Told } from '../support/running-shop.ts';
import { tableRows } from '../support/sheets.ts';
import type { ShopOrder, ShopRefund } from '../support/shop.ts';
import { filesOf, type Ran, tieout } from '../support/tieout.ts';

const OCT: readonly ShopOrder[] = [
  { name: '#1' },
  { name: '#2', price: '200.00', tax: '21.50' },
  { name: '#3', price: '50.00', tax: '5.38' },
];
const NOV: ShopOrder = { name: '#9', at: '2026-11-10 12:00:00 -0800', price: '10.00', tax: '1.08' };
const LATE: ShopOrder = { name: '#4', at: '2026-10-30 09:00:00 -0700', price: '80.00', tax: '8.60' };
const CHANGED: ShopOrder = { name: '#2', price: '150.00', tax: '16.13' };
const REFUND: ShopRefund = { order: '#1', at: '2026-11-05 09:00:00 -0800', amount: '110.75' };

/** October closed and locked; then an export with a late order, a changed one, a late refund, a duplicate, one less. */
const lateShop = async (more = '') => {
  const place = await runningShop();
  await place.load({ orders: { 'oct.csv': OCT } });
  await place.told(0, 'close', '2026-10');
  await place.told(0, 'lock', '2026-10');
  const before = await filesOf(place.out('2026-10'));
  const refunded: ShopOrder = { name: '#1', status: 'refunded', refunded: '110.75' };
  await place.load({ orders: { 'nov.csv': [refunded, CHANGED, LATE, NOV] }, refunds: [REFUND] }, more);
  return { ...place, before };
};

const totalsOf = ({ totals }: Told) => ({
  gross: totals['gross'],
  collected: totals['collected'],
  expected: totals['expected'],
});

describe('what comes late for a locked period', () => {
  test('is listed with its effect, and keeps the next close open until somebody decides', async () => {
    const place = await lateShop();
    const listed = await place.told(1, 'late', '2026-10');
    expect(listed.open).toMatchObject([
      { record: '#2', kind: 'changed', gross: '-50.00', expected: '-5.37' },
      { record: '#4', kind: 'new', gross: '80.00', expected: '8.60' },
    ]);
    expect(listed.effects).toEqual([
      { state: 'CA', gross: '30.00', taxable: '30.00', collected: '3.23', expected: '3.23' },
    ]);
    const asked = await place.told(1, 'close', '2026-11');
    const late = asked.exceptions.filter(({ code }) => code === 'R17');
    expect(late.map(({ record, severity }) => `${record} ${severity}`)).toEqual(['#2 error', '#4 error']);
    expect(totalsOf(asked)).toEqual({ gross: '-90.00', collected: '-9.67', expected: '-9.67' });
    expect(await filesOf(place.out('2026-10'))).toEqual(place.before);
  });

  test('is carried into the next open period, so that the sums are those of one close that knew all', async () => {
    const place = await lateShop();
    const carried = await place.told(0, 'late', '2026-10', '--carry', '--as', 'Dana', '--reason', 'small');
    expect(carried.decided).toMatchObject([
      { record: '#2', kind: 'changed', choice: 'carried', gross: '-50.00' },
      { record: '#4', kind: 'new', choice: 'carried', gross: '80.00' },
    ]);
    const closed = await place.told(0, 'close', '2026-11');
    expect(totalsOf(closed)).toEqual({ gross: '-60.00', collected: '-6.44', expected: '-6.44' });
    expect(closed.submissions).toMatchObject({ created: 5, refused: 0, conflicts: 0 });
    const book = join(place.out('2026-11'), 'variance.xlsx');
    const detail = await tableRows(book, 'Detail');
    expect(
      detail.map((row) => `${row['Transaction']} ${row['Kind']} ${row['Gross']} ${row['Status']}`),
    ).toEqual([
      '2-late-1 order 150 tied out',
      '4 order 80 tied out',
      '2-late-1-reversal refund -200 tied out',
      '1-refund refund -100 tied out',
      '9 order 10 tied out',
    ]);
    const late = await tableRows(book, 'Late items');
    expect(late.map((row) => [row['Transaction'], row['Choice'], row['Gross'], row['Arrived in']])).toEqual([
      ['2', 'carried', -50, 'nov.csv'],
      ['4', 'carried', 80, 'nov.csv'],
    ]);
    expect(closed.exceptions.filter(({ code }) => code === 'R17')).toHaveLength(2);
    await place.told(0, 'close', '2026-10');
    expect(await filesOf(place.out('2026-10'))).toEqual(place.before);

    const november = await filesOf(place.out('2026-11'));
    await place.told(0, 'close', '2026-11');
    expect(await filesOf(place.out('2026-11'))).toEqual(november);
    await place.told(0, 'lock', '2026-11', '--open-exceptions', 'filed early');
    expect((await place.told(0, 'late', '2026-10')).open).toEqual([]);
    expect((await place.told(0, 'late', '2026-11')).open).toEqual([]);
  });

  test('is put into an amended version, which is closed and locked beside the original', async () => {
    const place = await lateShop();
    const amended = await place.told(0, 'late', '2026-10', '--amend', '--as', 'Dana');
    expect(amended.amended).toMatchObject({ period: '2026-10-amended-1', new: true });
    const detail = await tableRows(join(place.out('2026-10-amended-1'), 'variance.xlsx'), 'Detail');
    expect(detail.map((row) => `${row['Transaction']} ${row['Gross']}`)).toEqual([
      '2-late-1 150',
      '2-late-1-reversal -200',
      '4 80',
      '1 100',
      '2 200',
      '3 50',
    ]);
    expect(await filesOf(place.out('2026-10'))).toEqual(place.before);
    const closed = await place.told(0, 'close', '2026-11');
    expect(totalsOf(closed)).toEqual({ gross: '-90.00', collected: '-9.67', expected: '-9.67' });
    const quarter = await place.run('close', '2026-Q4');
    expect(totalsOf(JSON.parse(quarter.stdout) as Told)).toMatchObject({ gross: '290.00' });
  });

  test.each(['carry', 'amend'] as const)('is settled by the policy: %s', async (choice) => {
    const place = await lateShop(`policy: { lateItems: ${choice} }\n`);
    const closed = await place.told(choice === 'carry' ? 0 : 1, 'close', '2026-11');
    expect(totalsOf(closed)['gross']).toBe(choice === 'carry' ? '-60.00' : '-90.00');
    if (choice === 'amend') {
      await place.told(0, 'late', '2026-10', '--amend');
      await place.told(0, 'close', '2026-11');
    }
  });

  test('can be decided one by one, and again until it is filed', async () => {
    const place = await lateShop();
    const one = await place.told(1, 'late', '2026-10', '--carry', '#4');
    expect(one.open.map(({ record }) => record)).toEqual(['#2']);
    expect((await place.run('late', '2026-10', '--carry', '#3')).code).toBe(2);
    await place.load({ orders: { 'dec.csv': [{ ...LATE, price: '90.00', tax: '9.68' }, CHANGED, NOV] } });
    const again = await place.told(1, 'late', '2026-10');
    expect(again.open.map(({ record, kind }) => `${record} ${kind}`)).toEqual(['#2 changed', '#4 changed']);
    await place.told(0, 'late', '2026-10', '--carry');
    const closed = await place.told(0, 'close', '2026-11');
    const detail = await tableRows(join(place.out('2026-11'), 'variance.xlsx'), 'Detail');
    expect(detail.filter((row) => row['Transaction'] === '4').map((row) => row['Gross'])).toEqual([90]);
    expect(closed.submissions).toMatchObject({ refused: 0, conflicts: 0 });
  });

  test('a rejected record of a locked period is seen with the next close', async () => {
    const place = await runningShop();
    await place.load({ orders: { 'oct.csv': OCT } });
    await place.told(0, 'close', '2026-10');
    await place.told(0, 'lock', '2026-10');
    await place.load({ orders: { 'nov.csv': [{ name: '#5', price: 'x' }, NOV] } });
    const closed = await place.told(1, 'close', '2026-11');
    expect(closed.exceptions.filter(({ severity }) => severity === 'error')).toMatchObject([
      { record: '#5' },
    ]);
    const [rejects] = [...(await filesOf(place.out('2026-11'))).keys()].filter((path) =>
      path.includes('rejects'),
    );
    expect(await readFile(join(place.out('2026-11'), rejects ?? ''), 'utf8')).toContain('#5');
  });

  test('what was set aside after the lock is withdrawn where it is carried to', async () => {
    const place = await runningShop();
    await place.load({ orders: { 'oct.csv': OCT } });
    await place.told(0, 'close', '2026-10');
    await place.told(0, 'lock', '2026-10');
    await place.load({
      orders: { 'nov.csv': [{ name: '#3', price: '50.00', tax: '5.38', status: 'voided' }, NOV] },
    });
    const listed = await place.told(1, 'late', '2026-10');
    expect(listed.open).toMatchObject([
      { record: '#3', kind: 'withdrawn', gross: '-50.00', expected: '-5.38' },
    ]);
    await place.told(0, 'late', '2026-10', '--carry');
    expect(totalsOf(await place.told(0, 'close', '2026-11'))).toMatchObject({ gross: '-40.00' });
  });
});

describe('unlocking', () => {
  const codeOf = ({ stdout }: Ran) => (JSON.parse(stdout) as { error: { code: string } }).error.code;

  test('wants a reason, and is written down for ever', async () => {
    const place = await lateShop();
    expect(codeOf(await place.run('unlock', '2026-10'))).toBe('E_REASON_MISSING');
    await place.told(0, 'unlock', '2026-10', '--reason', 'wrong export', '--as', 'Ada');
    expect(codeOf(await place.run('unlock', '2026-10', '--reason', 'again'))).toBe('E_PERIOD_NOT_LOCKED');
    const status = await tieout(['status', '--config', join(place.folder, 'tieout.yaml')]);
    expect(status.stdout).toMatch(/2026-10 +locked on .*\n2026-10 +unlocked on .* by Ada: wrong export\n$/);
    const closed = await place.told(0, 'close', '2026-10');
    expect(totalsOf(closed)).toMatchObject({ gross: '380.00' });
  });

  test('takes back what was decided and not sent; what later books rest on stays locked', async () => {
    const place = await lateShop();
    await place.told(0, 'late', '2026-10', '--carry');
    await place.told(0, 'unlock', '2026-10', '--reason', 'better amend');
    await place.told(0, 'close', '2026-10');
    expect(totalsOf(await place.told(0, 'close', '2026-11'))).toMatchObject({ gross: '-90.00' });

    const other = await lateShop();
    await other.told(0, 'late', '2026-10', '--carry');
    await other.told(0, 'close', '2026-11');
    expect(codeOf(await other.run('unlock', '2026-10', '--reason', 'x'))).toBe('E_PERIOD_BOUND');
    await other.told(0, 'lock', '2026-11', '--open-exceptions', 'filed early');
    const bound = await other.run('unlock', '2026-10', '--reason', 'x');
    expect(bound.stdout).toContain('2026-11, which is locked, carries records out of it');
  });
});
