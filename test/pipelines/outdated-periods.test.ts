import { expect, test } from 'vitest';
import type { Figures } from '../support/figures.ts';
import { type Month, type MonthData, month } from '../support/month.ts';
import type { Order } from '../support/shop-exports.ts';
import { tieout } from '../support/tieout.ts';

/** An order on each of these days of 2026. */
const on = (...days: readonly string[]): MonthData => ({
  orders: days.map((day, index) => ({ name: `#${index + 1}`, at: `2026-${day}` })),
});

/** The closed months that a close finds out of date. */
const outdatedAfter = async (shop: Month, period: string): Promise<readonly string[]> => {
  const { stdout } = await shop.run('close', period, '--json');
  return (JSON.parse(stdout) as Figures).outdated;
};

/** What stands beside the files of October. */
const noteIn = (shop: Month): Promise<string | undefined> =>
  shop.read('out/shop/2026-10.out-of-date.txt').catch(() => undefined);

const withClosedOctober = async (...days: readonly string[]): Promise<Month> => {
  const shop = await month(on(...days));
  expect(await outdatedAfter(shop, '2026-10')).toEqual([]);
  return shop;
};

test('verify holds books that are out of date, and says in a note that they are', async () => {
  const shop = await withClosedOctober('10-10', '11-05');
  await shop.change(on('10-10', '11-05', '10-20'));
  await outdatedAfter(shop, '2026-11');
  const verify = (...args: readonly string[]) => tieout(['verify', shop.out(), ...args]);
  const said =
    '2026-10.out-of-date.txt: The files in 2026-10 are out of date: what the exports say of 2026-10 has changed since it was closed.';
  const { code, stdout } = await verify();
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(`\n  note  the books are out of date. ${said}\n`),
  ]);
  const { periods } = JSON.parse((await verify('--json')).stdout) as { periods: readonly unknown[] };
  expect(periods).toEqual([expect.objectContaining({ holds: true, outOfDate: said })]);
  await outdatedAfter(shop, '2026-10');
  expect((await verify()).stdout).not.toContain('note');
});

test.for([
  ['has one more order of it', ['10-10', '10-11', '11-05', '10-20']],
  ['has an order of it under a day of another month', ['10-10', '11-11', '11-05']],
  ['has an order of it under another day', ['10-10', '10-12', '11-05']],
] as const)(
  'a closed month is out of date when an export that another close reads %s, until it is closed again',
  async ([, days]) => {
    const shop = await withClosedOctober('10-10', '10-11', '11-05');
    await shop.change(on(...days));
    expect(await outdatedAfter(shop, '2026-11')).toEqual(['2026-10']);
    expect(await noteIn(shop)).toBe(
      'The files in 2026-10 are out of date: what the exports say of 2026-10 has changed since it was closed.\n' +
        'Run `tieout close 2026-10` again; this note goes when the files are up to date.\n',
    );
    expect(await outdatedAfter(shop, '2026-11')).toEqual(['2026-10']);

    expect(await outdatedAfter(shop, '2026-10')).toEqual([]);
    expect(await noteIn(shop)).toBeUndefined();
    expect((await shop.run('status')).stdout).not.toContain('NOT CURRENT');
  },
);

test.for([
  ['a repayment without a day', { status: 'partially_refunded', refunded: '20.00' }],
  ['an order in another currency', { name: '#3', currency: 'CAD' }],
] as const)('a closed month is out of date when %s arrives for it', async ([, more]) => {
  const shop = await withClosedOctober('10-10', '11-05');
  const { orders } = on('10-10', '11-05');
  const first: Order = { name: '#1', at: '2026-10-10', ...more };
  await shop.change({ orders: [...(orders as readonly Order[]).slice('name' in more ? 0 : 1), first] });
  expect(await outdatedAfter(shop, '2026-11')).toEqual(['2026-10']);
  expect(await noteIn(shop)).toContain('The files in 2026-10 are out of date');
  expect((await shop.run('status')).stdout).toContain('NOT CURRENT');
  expect(await outdatedAfter(shop, '2026-10')).toEqual([]);
});

test('a closed month is out of date when the order of one of its refunds arrives in an older export', async () => {
  const refund = { name: '9-r', refundOf: '9', at: '2026-10-12', price: '40.00' };
  const template = { 'october.csv': [{ name: '1' }, refund] };
  const shop = await month({ template });
  expect(await outdatedAfter(shop, '2026-10')).toEqual([]);
  const order = { name: '9', at: '2026-08-10' };
  await shop.change({ template: { ...template, 'august.csv': [order] } });
  expect(await outdatedAfter(shop, '2026-08')).toEqual(['2026-10']);
  expect(await outdatedAfter(shop, '2026-10')).toEqual([]);
});

test('a closed month is not out of date when only another month has changed, or when its own is put back', async () => {
  const before = ['10-10', '10-11', '11-05'];
  const shop = await withClosedOctober(...before);
  await shop.change(on(...before, '11-06'));
  expect(await outdatedAfter(shop, '2026-11')).toEqual([]);
  await shop.change(on('10-10', '10-12', '11-05', '11-06'));
  expect(await outdatedAfter(shop, '2026-11')).toEqual(['2026-10']);
  await shop.change(on(...before, '11-06'));
  expect(await outdatedAfter(shop, '2026-11')).toEqual([]);
  expect(await noteIn(shop)).toBeUndefined();
});

test('a closed month is not out of date when an order of it stands in another file, or money of it came back later', async () => {
  const shop = await withClosedOctober('10-10', '11-05');
  await shop.change({
    orders: {
      'all.csv': [
        { name: '#2', at: '2026-11-05' },
        { name: '#1', refundedOn: '2026-11-12' },
      ],
    },
  });
  expect(await outdatedAfter(shop, '2026-11')).toEqual([]);
});

test('what comes for a locked month is late, and the month is not out of date', async () => {
  const shop = await withClosedOctober('10-10', '11-05');
  await shop.told(0, 'lock', '2026-10');
  await shop.change(on('10-10', '11-05', '10-20'));
  expect((await shop.close('2026-11')).outdated).toEqual([]);
});

test('a backfill names the closed months outside of its range', async () => {
  const shop = await withClosedOctober('10-10', '11-05');
  await shop.change(on('10-11', '11-05'));
  const { stderr } = await shop.run('backfill', '2026-11..2026-12');
  expect(stderr).toBe(
    '2026-10 is out of date: what the exports say of it has changed since. Close it again.\n',
  );
});

test('a close says so even where it is quiet, and status says it later', async () => {
  const shop = await withClosedOctober('10-10', '11-05');
  await shop.change(on('10-11', '11-05'));
  expect(await shop.run('close', '2026-11', '--quiet')).toMatchObject({
    stdout: '',
    stderr: '2026-10 is out of date: what the exports say of it has changed since. Close it again.\n',
  });
  expect((await shop.files('2026-11')).size).toBeGreaterThan(0);
  const { stdout } = await shop.run('status', '2026-10');
  expect(stdout).toMatch(
    /^2026-10 .*\n {19}NOT CURRENT: what the exports say of it has changed since; close it again\n/,
  );
});
