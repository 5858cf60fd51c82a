import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeOrders, writeShop } from '../support/shop.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';
import { workbookTables } from '../support/workbook-tables.ts';

test('what a marketplace collects is its own to remit: nothing is expected of the seller, and nothing is asked', async () => {
  const folder = await temporaryFolder();
  await writeOrders(folder, 'oct.csv', [{ name: '#1' }, { name: '#2', tax: '0.00' }]);
  await writeShop(folder, ['oct.csv']);
  const config = join(folder, 'tieout.yaml');
  await writeFile(
    config,
    (await readFile(config, 'utf8')).replace('name: shopify,', 'name: shopify, marketplace: true,'),
  );
  const ran = await tieout([
    'close',
    '2026-10',
    '--config',
    config,
    '--output',
    join(folder, 'out'),
    '--json',
  ]);
  expect(ran.stderr).toBe('');
  const figures = JSON.parse(ran.stdout) as Record<string, unknown>;
  expect(figures).toMatchObject({
    exit_code: 0,
    calculations: { asked: 0, skipped: 2 },
    totals: { gross: '200.00', collected: '0.00', expected: '0.00', variance: '0.00' },
  });
  const tables = await workbookTables(join(folder, 'out/shop/2026-10/variance.xlsx'));
  const [state] = tables.get('Bridge')?.rows ?? [];
  const shown = ['Gross', 'On marketplaces', 'Exempt or not taxable', 'Taxable'].map(
    (title) => state?.[title]?.value,
  );
  expect(shown).toEqual([200, 200, 0, 0]);
});
