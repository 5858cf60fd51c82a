import { expect, test } from 'vitest';
import { onEveryDatabase } from '../support/databases.ts';
import { runningShop } from '../support/running-shop.ts';
import type { ShopOrder } from '../support/shop.ts';
import { filesOf } from '../support/tieout.ts';

const FIRST: readonly ShopOrder[] = [{ name: '#1' }, { name: '#2', price: '200.00', tax: '21.50' }];
const LATER: readonly ShopOrder[] = [
  { name: '#1', price: '120.00', tax: '12.90' },
  { name: '#3', price: '80.00', tax: '8.60' },
];

/** October closed, and what comes late for it lying ready. */
const closedShop = async (more = '') => {
  const place = await runningShop();
  await place.load({ orders: { 'oct.csv': FIRST } }, more);
  await place.told(0, 'close', '2026-10');
  return place;
};

test('a lock or an amendment that is killed at any moment is nothing or all, and is finished by running it again', async () => {
  const calm = await closedShop();
  await calm.told(0, 'lock', '2026-10');
  await calm.load({ orders: { 'nov.csv': LATER } });
  await calm.told(0, 'late', '2026-10', '--amend');

  const place = await closedShop();
  for (const killAfterMs of [150, 350, 550, 750])
    await place.runWith({ killWhen: () => true, killAfterMs }, 'lock', '2026-10');
  await place.told(0, 'lock', '2026-10');
  await place.load({ orders: { 'nov.csv': LATER } });
  for (const killAfterMs of [300, 600, 900, 1200, 1500, 1800, 2400])
    await place.runWith({ killWhen: () => true, killAfterMs }, 'late', '2026-10', '--amend');
  const done = await place.told(0, 'late', '2026-10', '--amend');
  expect(done.decided).toHaveLength(2);
  expect(await filesOf(place.out('2026-10-amended-1'))).toEqual(await filesOf(calm.out('2026-10-amended-1')));
  expect((await filesOf(place.out('2026-10-amended-2'))).size).toBe(0);
});

onEveryDatabase(({ newUrl }) => {
  test('locking, carrying, amending and unlocking need no particular database', async () => {
    const databases = `databases: { ledger: "${await newUrl()}", workspace: "${await newUrl()}" }\n`;
    const place = await closedShop(databases);
    await place.told(0, 'lock', '2026-10');
    const before = await filesOf(place.out('2026-10'));
    const november = { name: '#4', at: '2026-11-05 12:00:00 -0800' };
    await place.load({ orders: { 'nov.csv': [...LATER, november] } }, databases);
    const listed = await place.told(1, 'late', '2026-10', '--carry', '#3');
    expect(listed.open.map(({ record }) => record)).toEqual(['#1']);
    const amended = await place.told(0, 'late', '2026-10', '--amend');
    expect(amended.amended).toMatchObject({ states: [{ state: 'CA', gross: '320.00' }] });
    const closed = await place.told(0, 'close', '2026-11');
    expect(closed.totals).toMatchObject({ gross: '180.00', collected: '19.35' });
    await place.told(0, 'lock', '2026-11', '--open-exceptions', 'filed early');
    await place.told(0, 'unlock', '2026-11', '--reason', 'one more order');
    await place.told(0, 'close', '2026-10');
    expect(await filesOf(place.out('2026-10'))).toEqual(before);
  });
});
