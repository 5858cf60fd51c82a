import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerLate } from '../support/decisions.ts';
import { preparedMonth } from '../support/prepared-month.ts';
import type { Order } from '../support/shop-exports.ts';

const OCT: readonly Order[] = [{ name: '#1' }, { name: '#2', price: '200.00' }];
const CHANGED: Order = { name: '#2', price: '150.00' };
const NOV: Order = { name: '#9', at: '2026-11-10', price: '10.00' };

const lockedShop = preparedMonth({ orders: OCT }, async (shop) => {
  await shop.told(0, 'close', '2026-10');
  await shop.told(0, 'lock', '2026-10');
});

type Told = { readonly same: boolean; readonly differences: readonly object[] };
const again = async (shop: Awaited<ReturnType<typeof lockedShop>>, code: number, period = '2026-10') => {
  const into = join(shop.folder, 'again');
  await rm(into, { recursive: true, force: true });
  return shop.told<Told>(code, 'close', period, '--recheck', '--output', into);
};

test('a recheck draws a locked period again, byte for byte, also after it was corrected', async () => {
  const shop = await lockedShop();
  const published = await shop.published();
  expect(await again(shop, 0)).toMatchObject({ same: true, differences: [] });
  expect(await shop.published()).toEqual(published);

  await shop.change({ orders: { 'orders.csv': OCT, 'nov.csv': [CHANGED, NOV] } });
  const changed = await again(shop, 1);
  expect(changed.differences).toContainEqual({ path: 'variance.xlsx', what: 'changed' });
  await shop.close('2026-11');
  await answerLate(shop, '2026-11', 'next');
  await shop.close('2026-11');
  const records = await shop.records();
  // The exports of then: what November has recorded of October is no stray.
  await shop.change({ orders: OCT });
  expect(await again(shop, 0)).toMatchObject({ same: true });
  expect(await shop.records()).toEqual(records);
});

test('it is for an open period, too, names what somebody changed, and records nothing', async () => {
  const shop = await lockedShop();
  await shop.change({ orders: { 'orders.csv': OCT, 'nov.csv': [NOV] } });
  expect(await shop.refused('close', '2026-11', '--recheck', '--output', 'again')).toBe(
    'E_PERIOD_NOT_CLOSED',
  );
  await shop.told(0, 'close', '2026-11');
  expect(await again(shop, 0, '2026-11')).toMatchObject({ same: true });
  await appendFile(join(shop.out('2026-11'), 'report.html'), ' ');
  expect(await again(shop, 1, '2026-11')).toMatchObject({
    same_build: true,
    differences: [{ path: 'report.html', what: 'changed' }],
  });
  const manifest = join(shop.out('2026-11'), 'evidence', 'manifest.json');
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replace(/"build":\s*"\w+"/, '"build":"0"'));
  expect(await again(shop, 1, '2026-11')).toMatchObject({ same_build: false });
  const records = await shop.records();
  await shop.change({ orders: { 'orders.csv': OCT, 'nov.csv': [NOV, { ...NOV, name: '#10' }] } });
  await again(shop, 1, '2026-11');
  expect(await shop.records()).toEqual(records);
});

test('it needs a new folder', async () => {
  const shop = await lockedShop();
  expect(await shop.refused('close', '2026-10', '--recheck')).toBe('E_USAGE');
  expect(await shop.refused('close', '2026-10', '--recheck', '--output', shop.folder)).toBe(
    'E_FOLDER_NOT_EMPTY',
  );
});
