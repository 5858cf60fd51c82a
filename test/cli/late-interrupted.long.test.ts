import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onEveryDatabase } from '../support/databases.ts';
import type { LateFigures } from '../support/figures.ts';
import { type MonthData, month } from '../support/month.ts';
import { withoutLock } from '../support/without-lock.ts';

/** October closed, and what comes late for it. */
const closedShop = async (data: MonthData = {}) => {
  const shop = await month({
    orders: { 'oct.csv': [{ name: '#1' }, { name: '#2', price: '200.00' }] },
    ...data,
  });
  await shop.told(0, 'close', '2026-10');
  return shop;
};
const LATER = [
  { name: '#1', price: '120.00' },
  { name: '#3', price: '80.00' },
];

test('a lock or an amendment that is killed at any moment is nothing or all, and is finished by running it again', async () => {
  const calm = await closedShop();
  await calm.told(0, 'lock', '2026-10');
  await calm.change({ orders: { 'nov.csv': LATER } });
  await calm.told(0, 'late', '2026-10', '--amend');

  const shop = await closedShop();
  for (const killAfterMs of [150, 350, 550, 750])
    await shop.runWith({ killWhen: () => true, killAfterMs }, 'lock', '2026-10');
  await shop.told(0, 'lock', '2026-10');
  await shop.change({ orders: { 'nov.csv': LATER } });
  for (const killAfterMs of [300, 600, 900, 1200, 1500, 1800, 2400])
    await shop.runWith({ killWhen: () => true, killAfterMs }, 'late', '2026-10', '--amend');
  const done = await shop.told<LateFigures>(0, 'late', '2026-10', '--amend');
  expect(done.decided).toHaveLength(2);
  expect(withoutLock(await shop.published())).toEqual(withoutLock(await calm.published()));
  for (const period of ['2026-10', '2026-10-amended-1']) expect(await shop.verify(period)).toEqual([]);

  // As a kill leaves it between the lock and what it puts into the folder.
  await rm(join(shop.out('2026-10-amended-1'), 'evidence', 'lock-books.ndjson.gz'));
  expect(await shop.verify('2026-10-amended-1')).not.toEqual([]);
  await shop.told(0, 'late', '2026-10', '--amend');
  expect(await shop.verify('2026-10-amended-1')).toEqual([]);
});

onEveryDatabase(({ newUrl }) => {
  test('locking, carrying, amending and unlocking need no particular database', async () => {
    const settings = { databases: { ledger: await newUrl(), workspace: await newUrl() } };
    const shop = await closedShop({ settings });
    await shop.told(0, 'lock', '2026-10');
    const before = await shop.files('2026-10');
    await shop.change({ orders: { 'nov.csv': [...LATER, { name: '#4', at: '2026-11-05' }] } });
    const listed = await shop.told<LateFigures>(1, 'late', '2026-10', '--carry', '#3');
    expect(listed.open.map(({ record }) => record)).toEqual(['#1']);
    const amended = await shop.told<LateFigures>(0, 'late', '2026-10', '--amend');
    expect(amended.amended).toMatchObject({ states: [{ state: 'CA', gross: '320.00' }] });
    const closed = await shop.told(0, 'close', '2026-11');
    expect(closed.totals).toMatchObject({ gross: '180.00', collected: '19.35' });
    await shop.told(0, 'lock', '2026-11', '--open-exceptions', 'filed early');
    await shop.told(0, 'unlock', '2026-11', '--reason', 'one more order');
    await shop.told(0, 'close', '2026-10');
    expect(await shop.files('2026-10')).toEqual(before);
  });
});
