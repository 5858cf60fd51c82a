import { describe, expect, test } from 'vitest';
import { type Figures, type LateFigures, openOf } from '../support/figures.ts';
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

const lockedShop = preparedMonth({ orders: OCT }, async (shop) => {
  await shop.told(0, 'close', '2026-10');
  await shop.told(0, 'lock', '2026-10');
});

/** October locked; then an export with a late order, a changed one, a late refund, a duplicate, one less. */
const lateShop = async (settings = {}) => {
  const shop = await lockedShop();
  const before = await shop.files('2026-10');
  await shop.change({ orders: { 'nov.csv': [REFUNDED, CHANGED, LATE, NOV] }, settings });
  const late = (code: number, ...args: readonly string[]) =>
    shop.told<LateFigures>(code, 'late', '2026-10', ...args);
  return { ...shop, before, late };
};

const totalsOf = ({ totals }: Figures) => ({
  gross: totals['gross'],
  collected: totals['collected'],
  expected: totals['expected'],
});

describe('what comes late for a locked period', () => {
  test('is listed with its effect, and keeps the next close open until somebody decides', async () => {
    const shop = await lateShop();
    const listed = await shop.late(1);
    expect(listed.open).toMatchObject([
      { record: '#2', kind: 'changed', gross: '-50.00', expected: '-5.37' },
      { record: '#4', kind: 'new', gross: '80.00', expected: '8.60' },
    ]);
    expect(listed.effects).toEqual([
      { state: 'CA', gross: '30.00', taxable: '30.00', collected: '3.23', expected: '3.23' },
    ]);
    const asked = await shop.told(1, 'close', '2026-11');
    const late = asked.exceptions.filter(({ code }) => code === 'R17');
    expect(late.map(({ record, severity }) => `${record} ${severity}`)).toEqual(['#2 error', '#4 error']);
    expect(totalsOf(asked)).toEqual({ gross: '-90.00', collected: '-9.67', expected: '-9.67' });
    expect(await shop.files('2026-10')).toEqual(shop.before);
  });

  test('is not carried and amended by one command', async () => {
    const shop = await lateShop();
    const both = await shop.run('late', '2026-10', '--carry', '#2', '--amend', '#4', '--as', 'Dana');
    expect([both.code, both.stderr.split(':', 1)]).toEqual([2, ['E_USAGE']]);
    expect((await shop.late(1)).open).toHaveLength(2);
  });

  test('has the same figures before and after it was carried, and a choice without an open item says so', async () => {
    const shop = await lateShop();
    const open = (await shop.late(1)).effects;
    const decided = (await shop.late(0, '--carry', '--as', 'Dana')).decided;
    const figures = (line: object) => {
      const { gross, taxable, collected, expected } = line as Record<string, string>;
      return { gross, taxable, collected, expected };
    };
    expect(decided.map(figures)).toEqual([
      { gross: '-50.00', taxable: '-50.00', collected: '-5.37', expected: '-5.37' },
      { gross: '80.00', taxable: '80.00', collected: '8.60', expected: '8.60' },
    ]);
    expect(open.map(figures)).toEqual([
      { gross: '30.00', taxable: '30.00', collected: '3.23', expected: '3.23' },
    ]);
    for (const args of [[], ['--amend'], []]) expect((await shop.late(0, ...args)).decided).toEqual(decided);
    expect((await shop.run('late', '2026-10', '--amend')).stdout).toMatch(
      /^Nothing was decided: no late item of 2026-10 is open\. What is decided stays so until the exports state something else\.$/m,
    );
    expect((await shop.run('late', '2026-10')).stdout).not.toContain('Nothing was decided');
    expect((await shop.run('late', '2026-10', '--amend', '#4')).stderr).toMatch(
      /^E_LATE_UNKNOWN: .*not an undecided late item.*\n.*What is decided stays so/,
    );
    await shop.told(0, 'close', '2026-11');
    expect((await shop.late(0)).decided).toEqual(decided);
  });

  test('is told by a close of that period, too, which reconciles nothing that is locked', async () => {
    const shop = await lateShop();
    const { code, stdout } = await shop.run('close', '2026-10');
    expect(code).toBe(0);
    expect(stdout).toContain(
      `late: 2 came late for 2026-10, which is locked: \`tieout late 2026-10 --config ${shop.config}\`\n`,
    );
    expect(stdout).toContain('reconcile: nothing to reconcile: the period is locked\n');
    expect(stdout).toMatch(/^2026-10: READY, 2 late items to decide, exit code 0, .*\n$/m);
    const quarter = await shop.run('close', '2026-Q4');
    expect(quarter.stdout).toMatch(/^reconcile: .* tied out; locked days are as they were filed$/m);
    expect((await shop.run('close', '2026-12')).stdout).toContain(
      'late: nothing came late that this period answers\n',
    );
  });

  test('is what status says to do next, where all periods are locked: to decide, or to close the next one', async () => {
    const shop = await lateShop();
    await shop.run('close', '2026-10');
    const status = async (...args: string[]) => (await shop.run('status', ...args)).stdout;
    const decide =
      /^Next: `tieout late 2026-10 --config \S+` shows what came late for 2026-10; with --carry or /m;
    expect(await status()).toMatch(/^2026-10 +locked, digest .*\n +came late, to be decided: #2, #4$/m);
    expect(await status()).toMatch(decide);
    expect(await status('2026-10')).toMatch(decide);
    await shop.late(1, '--carry', '#4');
    expect(await status()).toMatch(
      /^ +came late, to be decided: #2\n +came late, to be filed with the period that begins on 2026-11-01: #4$/m,
    );
    expect(await status()).toMatch(decide);
    await shop.late(0, '--carry');
    const told = await shop.told<{ locks: object[]; next: string }>(0, 'status');
    expect(told.locks).toMatchObject([{ label: '2026-10', late: { undecided: [], carried: ['#2', '#4'] } }]);
    expect(told.next).toBe(
      'close the period that begins on 2026-11-01: it files 2 records that came late for 2026-10.',
    );
    await shop.close('2026-11');
    const settled = await status('2026-10');
    expect(settled).toMatch(/^Next: nothing for 2026-10, which is locked\.$/m);
    expect(settled).not.toContain('came late');
  });

  test('is to be closed, says status, as the policy decides of it', async () => {
    const carrying = await lateShop({ policy: { lateItems: 'carry' } });
    await carrying.run('close', '2026-10');
    const next = async (shop: { run: typeof carrying.run }) =>
      (await shop.run('status', '2026-10')).stdout.trimEnd().split('\n').at(-1);
    expect(await next(carrying)).toMatch(
      /^Next: close the period that begins on 2026-11-01: it files 2 records /,
    );
    const amending = await lateShop({ policy: { lateItems: 'amend' } });
    await amending.run('close', '2026-11');
    expect(await next(amending)).toMatch(
      /^Next: `tieout late 2026-10 --amend --config \S+` closes and locks 2026-10-amended-1\.$/,
    );
  });

  test('is carried into the next open period, so that the sums are those of one close that knew all', async () => {
    const shop = await lateShop();
    const carried = await shop.late(0, '--carry', '--as', 'Dana', '--reason', 'small');
    expect(carried.decided).toMatchObject([
      { record: '#2', kind: 'changed', choice: 'carried', gross: '-50.00' },
      { record: '#4', kind: 'new', choice: 'carried', gross: '80.00' },
    ]);
    const closed = await shop.told(0, 'close', '2026-11');
    expect(totalsOf(closed)).toEqual({ gross: '-60.00', collected: '-6.44', expected: '-6.44' });
    expect(closed.submissions).toMatchObject({ created: 5, refused: 0, conflicts: 0 });
    const detail = await shop.detail('2026-11');
    expect(
      detail.map((row) => `${row['Transaction']} ${row['Kind']} ${row['Gross']} ${row['Status']}`),
    ).toEqual([
      '2-late-1 order 150 tied out',
      '4 order 80 tied out',
      '2-late-1-reversal refund -200 tied out',
      '1-refund refund -100 tied out',
      '9 order 10 tied out',
    ]);
    const late = (await shop.rows('Exceptions', '2026-11')).filter((row) => row['Code'] === 'late-filed');
    expect(late.map((row) => [row['Record'], row['File and line'], row['What']])).toEqual([
      ['2', 'nov.csv:3', expect.stringContaining(' -50.00 gross')],
      ['4', 'nov.csv:4', expect.stringContaining(' 80.00 gross')],
    ]);
    await shop.told(0, 'close', '2026-10');
    expect(await shop.files('2026-10')).toEqual(shop.before);

    const november = await shop.files('2026-11');
    await shop.told(0, 'close', '2026-11');
    expect(await shop.files('2026-11')).toEqual(november);
    await shop.told(0, 'lock', '2026-11', '--open-exceptions', 'filed early');
    expect((await shop.late(0)).open).toEqual([]);
    expect((await shop.told<LateFigures>(0, 'late', '2026-11')).open).toEqual([]);
  });

  test('is late again when what was carried is void before it is filed', async () => {
    const shop = await lateShop();
    await shop.late(0, '--carry');
    const voided: Order = { ...LATE, status: 'voided' };
    await shop.change({ orders: { 'nov.csv': [REFUNDED, CHANGED, voided, NOV] } });
    expect((await shop.late(1)).open).toMatchObject([
      { record: '#4', kind: 'withdrawn', gross: '-80.00', expected: '-8.60' },
    ]);
    const asked = await shop.told(1, 'close', '2026-11');
    expect(
      asked.exceptions.filter(({ code, severity }) => code === 'R17' && severity === 'error'),
    ).toHaveLength(1);
    await shop.late(0, '--carry');
    const closed = await shop.told(0, 'close', '2026-11');
    expect(totalsOf(closed)).toEqual({ gross: '-140.00', collected: '-15.04', expected: '-15.04' });
  });

  test('is decided, and not carried, when only what was carried is void', async () => {
    const shop = await lateShop();
    await shop.late(0, '--carry');
    const voided: Order = { ...LATE, status: 'voided' };
    await shop.change({ orders: { 'nov.csv': [REFUNDED, CHANGED, voided, NOV] } });
    expect((await shop.run('late', '2026-10', '--carry')).code).toBe(0);
    const { stdout: status } = await shop.run('status');
    expect(status).toMatch(/^2026-10 +decided on .* UTC: 1 late item, with nothing to file$/m);
    expect(await shop.late(0)).toMatchObject({ open: [], begun: null });
  });

  test('is amended without an amended version when only what was carried is void', async () => {
    const shop = await lateShop();
    await shop.late(0, '--carry');
    const voided: Order = { ...LATE, status: 'voided' };
    await shop.change({ orders: { 'nov.csv': [REFUNDED, CHANGED, voided, NOV] } });
    const { code, stdout } = await shop.run('late', '2026-10', '--amend');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^No amended version was made: /)]);
    const { stdout: status } = await shop.run('status');
    expect(status).toMatch(/^2026-10 +decided on .* UTC: 1 late item, with nothing to file$/m);
    expect(await shop.late(0)).toMatchObject({ open: [], begun: null });
    const closed = await shop.told(0, 'close', '2026-11');
    expect(totalsOf(closed)).toEqual({ gross: '-140.00', collected: '-15.04', expected: '-15.04' });
  });

  test('is put into an amended version, which is closed and locked beside the original', async () => {
    const shop = await lateShop();
    const amended = await shop.late(0, '--amend', '--as', 'Dana');
    expect(amended.amended).toMatchObject({ period: '2026-10-amended-1', new: true });
    const detail = await shop.detail('2026-10-amended-1');
    expect(detail.map((row) => `${row['Transaction']} ${row['Gross']}`)).toEqual([
      '2-late-1 150',
      '2-late-1-reversal -200',
      '4 80',
      '1 100',
      '2 200',
      '3 50',
    ]);
    expect(await shop.files('2026-10')).toEqual(shop.before);
    const closed = await shop.told(0, 'close', '2026-11');
    expect(totalsOf(closed)).toEqual({ gross: '-90.00', collected: '-9.67', expected: '-9.67' });
    expect(totalsOf(await shop.close('2026-Q4'))).toMatchObject({ gross: '290.00' });
  });

  test.each(['carry', 'amend'] as const)('is settled by the policy: %s', async (choice) => {
    const shop = await lateShop({ policy: { lateItems: choice } });
    const closed = await shop.told(choice === 'carry' ? 0 : 1, 'close', '2026-11');
    expect(totalsOf(closed)['gross']).toBe(choice === 'carry' ? '-60.00' : '-90.00');
    if (choice === 'amend') {
      expect(await shop.late(1)).toMatchObject({ open: [], begun: '2026-10-amended-1' });
      expect((await shop.run('late', '2026-10')).stdout).toContain(
        `2026-10-amended-1 was begun and is not locked: \`tieout late 2026-10 --amend --config ${shop.config}\` closes and locks it.\n`,
      );
      await shop.late(0, '--amend');
      await shop.told(0, 'close', '2026-11');
    }
  });

  test('can be decided one by one, and again until it is filed', async () => {
    const shop = await lateShop();
    const one = await shop.late(1, '--carry', '#4');
    expect(one.open.map(({ record }) => record)).toEqual(['#2']);
    expect((await shop.run('late', '2026-10', '--carry', '#3')).code).toBe(2);
    await shop.change({ orders: { 'dec.csv': [{ ...LATE, price: '90.00' }, CHANGED, NOV] } });
    const again = await shop.late(1);
    expect(again.open.map(({ record, kind }) => `${record} ${kind}`)).toEqual(['#2 changed', '#4 changed']);
    await shop.late(0, '--carry');
    const closed = await shop.told(0, 'close', '2026-11');
    const detail = await shop.detail('2026-11');
    expect(detail.filter((row) => row['Transaction'] === '4').map((row) => row['Gross'])).toEqual([90]);
    expect(closed.submissions).toMatchObject({ refused: 0, conflicts: 0 });
  });

  test('can be what was filed, when something else was decided in between', async () => {
    const shop = await lockedShop();
    const carry = async (...orders: readonly Order[]) => {
      await shop.change({ orders: { 'new.csv': [...orders, NOV] } });
      return shop.told<LateFigures>(0, 'late', '2026-10', '--carry');
    };
    const filed: Order = { name: '#2', price: '200.00' };
    expect((await carry({ ...filed, status: 'voided' })).decided).toMatchObject([
      { kind: 'withdrawn', gross: '-200.00' },
    ]);
    await carry(filed);
    expect(totalsOf(await shop.told(0, 'close', '2026-11'))).toMatchObject({ gross: '10.00' });
    await carry(CHANGED);
    expect(totalsOf(await shop.told(0, 'close', '2026-11'))).toMatchObject({ gross: '-40.00' });
    await shop.told(0, 'lock', '2026-11', '--open-exceptions', 'filed early');
    await carry(filed);
    expect(totalsOf(await shop.told(1, 'close', '2026-12'))).toMatchObject({ gross: '50.00' });
  });

  test('a rejected record of a locked period is seen with the next close', async () => {
    const shop = await lockedShop();
    await shop.change({ orders: { 'nov.csv': [{ name: '#5', price: 'x' }, NOV] } });
    const closed = await shop.told(1, 'close', '2026-11');
    expect(openOf(closed)).toMatchObject([{ record: '#5' }]);
    const [rejects] = [...(await shop.files('2026-11'))].find(([path]) => path.includes('rejects')) ?? [];
    expect(await shop.read(`out/shop/2026-11/${rejects}`)).toContain('#5');
  });

  test('what was set aside after the lock is withdrawn where it is carried to', async () => {
    const shop = await lockedShop();
    await shop.change({
      orders: { 'nov.csv': [{ name: '#3', price: '50.00', status: 'voided' }, NOV] },
    });
    const listed = await shop.told<LateFigures>(1, 'late', '2026-10');
    expect(listed.open).toMatchObject([
      { record: '#3', kind: 'withdrawn', gross: '-50.00', expected: '-5.38' },
    ]);
    await shop.told(0, 'late', '2026-10', '--carry');
    expect(totalsOf(await shop.told(0, 'close', '2026-11'))).toMatchObject({ gross: '-40.00' });
  });
});

describe('unlocking', () => {
  test('wants a reason, and is written down for ever', async () => {
    const shop = await lateShop();
    expect(await shop.refused('unlock', '2026-10')).toBe('E_REASON_MISSING');
    await shop.told(0, 'unlock', '2026-10', '--reason', 'wrong export', '--as', 'Ada');
    expect(await shop.refused('unlock', '2026-10', '--reason', 'again')).toBe('E_PERIOD_NOT_LOCKED');
    const status = await shop.run('status');
    expect(status.stdout).toMatch(
      /2026-10 +locked on .*\n2026-10 +unlocked on .* by Ada: wrong export\nNext: `tieout close /,
    );
    const closed = await shop.told(0, 'close', '2026-10');
    expect(totalsOf(closed)).toMatchObject({ gross: '380.00' });
  });

  test('takes back what was decided and not sent; what later books rest on stays locked', async () => {
    const shop = await lateShop();
    await shop.late(0, '--carry');
    await shop.told(0, 'unlock', '2026-10', '--reason', 'better amend');
    await shop.told(0, 'close', '2026-10');
    expect(totalsOf(await shop.told(0, 'close', '2026-11'))).toMatchObject({ gross: '-90.00' });

    const other = await lateShop();
    await other.late(0, '--carry');
    await other.told(0, 'close', '2026-11');
    expect(await other.refused('unlock', '2026-10', '--reason', 'x')).toBe('E_PERIOD_BOUND');
    await other.told(0, 'lock', '2026-11', '--open-exceptions', 'filed early');
    const bound = await other.run('unlock', '2026-10', '--reason', 'x');
    expect(bound.stderr).toContain('2026-11, which is locked, carries records out of it');
  });

  test('takes an amended version with it that was begun and not locked', async () => {
    const shop = await lateShop({ policy: { lateItems: 'amend' } });
    await shop.told(1, 'close', '2026-11');
    expect(await shop.late(1)).toMatchObject({ begun: '2026-10-amended-1' });
    await shop.told(0, 'unlock', '2026-10', '--reason', 'better closed again', '--as', 'Ada');
    expect(totalsOf(await shop.told(0, 'close', '2026-10'))).toMatchObject({ gross: '380.00' });
    await shop.told(0, 'close', '2026-11');
    await shop.told(0, 'lock', '2026-10');
    expect(await shop.late(0)).toMatchObject({ begun: null, open: [] });
  });

  test('is refused where a later correction takes back what the lock holds', async () => {
    const shop = await lateShop();
    await shop.late(0, '--carry');
    await shop.told(0, 'close', '2026-11');
    await shop.told(0, 'lock', '2026-11', '--open-exceptions', 'filed early');
    await shop.change({ orders: { 'dec.csv': [{ ...CHANGED, price: '120.00' }] } });
    await shop.late(0, '--carry');
    const bound = await shop.run('unlock', '2026-11', '--reason', 'x');
    expect([bound.code, bound.stderr]).toEqual([
      2,
      expect.stringContaining(
        'E_PERIOD_BOUND: 2026-11 cannot be unlocked: it files shopify/order/2-late-1, which was corrected later with shopify/order/2-late-2',
      ),
    ]);
    expect(totalsOf(await shop.told(1, 'close', '2026-12'))).toEqual({
      gross: '-30.00',
      collected: '-3.23',
      expected: '-3.23',
    });
  });
});
