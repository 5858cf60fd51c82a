import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Month } from '../support/month.ts';
import { preparedMonth } from '../support/prepared-month.ts';

const ORDERS = [{ name: '#1' }, { name: '#2', refundedOn: '2026-10-20' }];

const closedMonth = preparedMonth({ orders: ORDERS }, (shop) => shop.told(0, 'close', '2026-10'));

const sign = ({ run, folder }: Month, name: string, role: string, ...more: readonly string[]) =>
  run('sign', '2026-10', '--as', name, '--role', role, '--output', join(folder, 'out'), ...more);

test('two people sign a period: the manifest names them, the evidence holds, and the next close keeps it', async () => {
  const shop = await closedMonth();
  const first = await sign(shop, 'Dana Reyes', 'preparer');
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
  const same = await sign(shop, ' dana reyes', 'reviewer');
  expect(same.code).toBe(2);
  expect(same.stderr).toContain('E_SIGNED: Dana Reyes has signed this content as preparer');
  const second = await sign(shop, 'Kim Osei', 'reviewer', '--json');
  expect(JSON.parse(second.stdout)).toMatchObject({
    period: '2026-10',
    signatures: [
      { role: 'preparer', name: 'Dana Reyes' },
      { role: 'reviewer', name: 'Kim Osei' },
    ],
  });
  expect((await sign(shop, 'Lee Marsh', 'reviewer')).stderr).toContain(
    'Kim Osei has signed this content as reviewer already',
  );

  expect((await shop.manifest()).approvals.map(({ role, name }) => [role, name])).toEqual([
    ['preparer', 'Dana Reyes'],
    ['reviewer', 'Kim Osei'],
  ]);
  expect(await shop.verify()).toEqual([]);

  const before = await shop.published();
  await shop.close();
  expect(await shop.published()).toEqual(before);
});

test('a signature is gone when a figure changes, and stands again when it changes back', async () => {
  const shop = await closedMonth();
  await sign(shop, 'Dana Reyes', 'preparer');
  const signatures = async () => (await shop.manifest()).approvals.length;
  await shop.change({ orders: [{ name: '#1', price: '101.00' }, ...ORDERS.slice(1)] });
  await shop.close();
  expect(await signatures()).toBe(0);
  await shop.change({ orders: ORDERS });
  await shop.close();
  expect(await signatures()).toBe(1);
});

test('what was changed since it was written cannot be signed', async () => {
  const shop = await closedMonth();
  await appendFile(shop.book(), 'x');
  const refused = await sign(shop, 'Dana Reyes', 'preparer');
  expect(refused.code).toBe(65);
  expect(refused.stderr).toContain('E_PACK_CHANGED');
  expect(refused.stderr).toContain('variance.xlsx has');
});

test('what the workspace would write otherwise by now cannot be signed', async () => {
  const shop = await closedMonth();
  await shop.change({ settings: { name: 'Shop Inc.' } });
  const before = await shop.published();
  const refused = await sign(shop, 'Dana Reyes', 'preparer');
  expect(refused.code).toBe(65);
  expect(refused.stderr).toContain('E_PACK_STALE');
  expect(await shop.published()).toEqual(before);
});

test('a month that is locked takes no signature, and its files stay as they were', async () => {
  const shop = await closedMonth();
  expect(await shop.run('lock', '2026-10')).toMatchObject({ code: 0, stderr: '' });
  const before = await shop.published();
  const refused = await sign(shop, 'Dana Reyes', 'preparer');
  expect(refused.stderr).toContain('E_PERIOD_LOCKED: ');
  expect(refused.code).not.toBe(0);
  expect(await shop.published()).toEqual(before);
});
