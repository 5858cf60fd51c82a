import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Manifest } from '../support/figures.ts';
import { tableRows } from '../support/sheets.ts';
import { filesOf, type Merchant, sampleMerchant, tieout } from '../support/tieout.ts';

const sign = ({ config, output }: Merchant, name: string, role: string, ...more: readonly string[]) =>
  tieout(['sign', '2026-10', '--as', name, '--role', role, '--config', config, '--output', output, ...more]);

const month = ({ output }: Merchant) => join(output, 'harbor-and-pine', '2026-10');

test('two people sign a period: both workbooks show it, the evidence holds, and the next close keeps it', async () => {
  const merchant = await sampleMerchant();
  await merchant.close();
  const first = await sign(merchant, 'Dana Reyes', 'preparer');
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
  const same = await sign(merchant, ' dana reyes', 'reviewer');
  expect(same.code).toBe(2);
  expect(same.stderr).toContain('E_SIGNED: Dana Reyes has signed this content as preparer');
  const second = await sign(merchant, 'Kim Osei', 'reviewer', '--json');
  expect(JSON.parse(second.stdout)).toMatchObject({
    period: '2026-10',
    signatures: [
      { role: 'preparer', name: 'Dana Reyes' },
      { role: 'reviewer', name: 'Kim Osei' },
    ],
  });
  expect((await sign(merchant, 'Lee Marsh', 'reviewer')).stderr).toContain(
    'Kim Osei has signed this content as reviewer already',
  );

  for (const book of ['variance.xlsx', 'filing-summary.xlsx']) {
    const rows = await tableRows(join(month(merchant), book), 'Sign-off');
    expect(rows.map((row) => [row['Role'], row['Signed by'], row['Status']])).toEqual([
      ['preparer', 'Dana Reyes', 'signed'],
      ['reviewer', 'Kim Osei', 'signed'],
    ]);
  }
  expect((await tieout(['verify', month(merchant)])).code).toBe(0);

  const before = await filesOf(merchant.output);
  await merchant.close();
  const after = await filesOf(merchant.output);
  for (const [path, bytes] of after) expect(before.get(path)?.equals(bytes), path).toBe(true);
});

test('a signature is gone from the workbooks when a figure changes, and stands in them again when it changes back', async () => {
  const merchant = await sampleMerchant();
  await merchant.close();
  await sign(merchant, 'Dana Reyes', 'preparer');
  const orders = join(merchant.folder, 'orders_export.csv');
  const original = await readFile(orders, 'utf8');
  const signatures = async () => {
    const text = await readFile(join(month(merchant), 'evidence/manifest.json'), 'utf8');
    return (JSON.parse(text) as Manifest).approvals.length;
  };
  await writeFile(orders, original.replace('7.95', '8.95'));
  await merchant.close();
  expect(await signatures()).toBe(0);
  await writeFile(orders, original);
  await merchant.close();
  expect(await signatures()).toBe(1);
});

test('what was changed since it was written cannot be signed', async () => {
  const merchant = await sampleMerchant();
  await merchant.close();
  await appendFile(join(month(merchant), 'variance.xlsx'), 'x');
  const refused = await sign(merchant, 'Dana Reyes', 'preparer');
  expect(refused.code).toBe(65);
  expect(refused.stderr).toContain('E_PACK_CHANGED');
  expect(refused.stderr).toContain('variance.xlsx has');
});

test('what the workspace would write otherwise by now cannot be signed', async () => {
  const merchant = await sampleMerchant();
  await merchant.close();
  const config = await readFile(merchant.config, 'utf8');
  await writeFile(
    merchant.config,
    config.replace('name: Harbor & Pine Supply Co.', 'name: Harbor & Pine Supply Inc.'),
  );
  const before = await filesOf(merchant.output);
  const refused = await sign(merchant, 'Dana Reyes', 'preparer');
  expect(refused.code).toBe(65);
  expect(refused.stderr).toContain('E_PACK_STALE');
  const after = await filesOf(merchant.output);
  for (const [path, bytes] of after) expect(before.get(path)?.equals(bytes), path).toBe(true);
});

test('a month that is locked takes no signature, and its files stay as they were', async () => {
  const merchant = await sampleMerchant();
  await merchant.close();
  const locked = await tieout(['lock', '2026-10', '--config', merchant.config]);
  expect(locked).toMatchObject({ code: 0, stderr: '' });
  const before = await filesOf(merchant.output);
  const refused = await sign(merchant, 'Dana Reyes', 'preparer');
  expect(refused.stderr).toContain('E_PERIOD_LOCKED: ');
  expect(refused.code).not.toBe(0);
  expect(await filesOf(merchant.output)).toEqual(before);
});
