import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Month } from '../support/month.ts';
import { preparedMonth } from '../support/prepared-month.ts';
import { tieout } from '../support/tieout.ts';

const ORDERS = [{ name: '#1' }, { name: '#2', refundedOn: '2026-10-20' }];

const closedMonth = preparedMonth({ orders: ORDERS }, (shop) => shop.told(0, 'close', '2026-10'));

/** The roles and names of those who have signed what a folder holds. */
const signers = async (shop: Month): Promise<readonly string[]> => {
  const { stdout } = await tieout(['verify', shop.out(), '--json']);
  const { periods } = JSON.parse(stdout) as {
    periods: readonly { signatures: readonly { role: string; name: string }[] }[];
  };
  return periods.flatMap(({ signatures }) => signatures.map(({ role, name }) => `${role} ${name}`));
};

const sign = ({ run, folder }: Month, name: string, role: string, ...more: readonly string[]) =>
  run('sign', '2026-10', '--as', name, '--role', role, '--output', join(folder, 'out'), ...more);

test('two people sign a period: verify names them, and the next close keeps it', async () => {
  const shop = await closedMonth();
  const first = await sign(shop, 'Dana Reyes', 'preparer');
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
  const second = await sign(shop, 'Kim Osei', 'reviewer', '--json');
  expect(JSON.parse(second.stdout)).toMatchObject({
    period: '2026-10',
    ...{ role: 'reviewer', name: 'Kim Osei', signature: null },
  });
  expect(await signers(shop)).toEqual(['preparer Dana Reyes', 'reviewer Kim Osei']);
  expect(await shop.verify()).toEqual([]);

  const before = await shop.published();
  await shop.close();
  expect(await shop.published()).toEqual(before);
});

test('a signature is of what was signed: it is gone when a figure changes, and stands again when it changes back', async () => {
  const shop = await closedMonth();
  await sign(shop, 'Dana Reyes', 'preparer');
  await shop.change({ orders: [{ name: '#1', price: '101.00' }, ...ORDERS.slice(1)] });
  await shop.close();
  expect(await signers(shop)).toEqual([]);
  expect(await shop.told(0, 'status')).toMatchObject({ periods: [{ isSigned: false }] });
  await shop.change({ orders: ORDERS });
  await shop.close();
  expect(await signers(shop)).toEqual(['preparer Dana Reyes']);
});

test('a later signature in a role takes the place of the one before it, and both are remembered', async () => {
  const shop = await closedMonth();
  await sign(shop, 'Dana Reyse', 'preparer');
  await sign(shop, 'Kim Osei', 'reviewer');
  const replaced = await sign(shop, 'Dana Reyes', 'preparer');
  expect({ code: replaced.code, stderr: replaced.stderr }).toEqual({ code: 0, stderr: '' });
  expect(await signers(shop)).toEqual(['preparer Dana Reyes', 'reviewer Kim Osei']);
  expect(await shop.verify()).toEqual([]);
  const register = await shop.read('locks.ndjson');
  for (const name of ['Dana Reyse', 'Kim Osei', 'Dana Reyes']) expect(register).toContain(name);
});

test('a month that is NOT READY is signed only when it is said why, which is kept', async () => {
  const shop = await closedMonth();
  await shop.change({ orders: [...ORDERS, { name: '#3', price: 'eleven' }] });
  await shop.told(1, 'close', '2026-10');
  const before = await shop.published();
  const refused = await sign(shop, 'Dana Reyes', 'preparer');
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/^E_PERIOD_OPEN: 2026-10 cannot be signed: .*NOT READY.*\n.*--open-exceptions/),
  ]);
  expect(await shop.published()).toEqual(before);
  const signed = await sign(shop, 'Dana Reyes', 'preparer', '--open-exceptions', 'asked the shop');
  expect({ code: signed.code, stderr: signed.stderr }).toEqual({ code: 0, stderr: '' });
  expect((await shop.run('status')).stdout).toMatch(/^2026-10 +closed: NOT READY, signed /m);
  expect(await shop.read('locks.ndjson')).toContain('"why":"asked the shop"');
});
