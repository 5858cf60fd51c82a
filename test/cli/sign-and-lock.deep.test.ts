import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesOf, sampleMerchant, tieout } from '../support/tieout.ts';
import { withoutLock } from '../support/without-lock.ts';

test('the sample month, signed and locked, stays the same bytes whatever its files say later', async () => {
  const merchant = await sampleMerchant();
  const month = join(merchant.output, 'harbor-and-pine', '2026-10');
  const close = async () => {
    const { code, stderr } = await merchant.close();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return filesOf(month);
  };
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await tieout([...args, '--config', merchant.config, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as object;
  };
  const output = ['--output', merchant.output];
  await close();
  await run('sign', '2026-10', '--as', 'Dana Reyes', '--role', 'preparer', ...output);
  await run('sign', '2026-10', '--as', 'Kim Osei', '--role', 'reviewer', ...output);
  const signed = await filesOf(month);
  expect(await close()).toEqual(signed);
  expect(await run('lock', '2026-10', ...output)).toMatchObject({
    period: '2026-10',
    new: true,
    records: 323,
  });
  const locked = await filesOf(month);
  expect(withoutLock(locked)).toEqual(withoutLock(signed));

  const orders = join(merchant.folder, 'orders_export.csv');
  await writeFile(orders, (await readFile(orders, 'utf8')).replaceAll('98.95', '97.95'));
  const config = await readFile(merchant.config, 'utf8');
  await writeFile(
    merchant.config,
    config.replace('{ state: NJ', '{ state: OH, since: "2020-01-01" }\n  - { state: NJ'),
  );
  expect(await close()).toEqual(locked);
  await rm(join(merchant.folder, '.tieout'), { recursive: true });
  expect(await close()).toEqual(locked);
});
