import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { ordersExport } from '../support/shop-exports.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';

const shopify = (day: string, name: string) => ordersExport([{ name, at: `${day} 09:00:00 -0700` }]);

const etsy = (day: string, id: string) =>
  [
    'Sale Date,Order ID,Number of Items,Street 1,Ship City,Ship State,Ship Zipcode,Ship Country,Currency,Order Value,Discount Amount,Shipping Discount,Shipping,Sales Tax,Order Total,Status',
    `${day},${id},1,1 Main St,Oakland,CA,94610,United States,USD,20.00,0.00,0.00,5.00,2.15,27.15,Completed`,
    '',
  ].join('\n');

const NO_TABLE = 'Date,Amount\n';

/** What init names the files by, and the orders that the close of November reads once its files lie there as well. */
const closedWithNextMonth = async (
  october: Readonly<Record<string, string>>,
  november: Readonly<Record<string, string>>,
) => {
  const folder = await temporaryFolder();
  const put = async (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  };
  await put(october);
  const config = join(folder, 'tieout.yaml');
  expect(await tieout(['init', folder, '--yes', '--ship-from', '95814'])).toMatchObject({
    code: 0,
    stderr: '',
  });
  const patterns = [...(await readFile(config, 'utf8')).matchAll(/^ {4}files: \[(.*)\]$/gm)].map(
    ([, list]) => list,
  );
  await put(november);
  const closed = await tieout(['close', '2026-11', '--config', config, '--json']);
  expect(closed.stderr).toBe('');
  const { inputs } = JSON.parse(closed.stdout) as { inputs: { path: string; used: number }[] };
  const used = inputs.filter((one) => one.used > 0).map(({ path }) => basename(path));
  return { patterns, used: used.filter((file) => Object.hasOwn(november, file)) };
};

test.for([
  ['orders_export.csv', 'orders_export (1).csv', 'orders_export*.csv'],
  ['orders_export (1).csv', 'orders_export (2).csv', 'orders_export*.csv'],
  ['orders_export_1.csv', 'orders_export_2.csv', 'orders_export_*.csv'],
  ['orders-2026-10.csv', 'orders-2026-11.csv', 'orders-*.csv'],
  ['orders 2026-10-01 to 2026-10-31.csv', 'orders 2026-11-01 to 2026-11-30.csv', 'orders *.csv'],
  ['orders Oct 2026.csv', 'orders Nov 2026.csv', 'orders *.csv'],
  ['october-orders.csv', 'november-orders.csv', '"*-orders.csv"'],
  ['2026-10.csv', '2026-11.csv', '"[0-9]*.csv"'],
] as const)('init of a folder with %s reads %s, too, by %s', async ([october, november, pattern]) => {
  const closed = await closedWithNextMonth(
    { [october]: shopify('2026-10-05', '#1') },
    { [november]: shopify('2026-11-05', '#2') },
  );
  expect(closed).toEqual({ patterns: [pattern], used: [november] });
});

test('two kinds of files do not fit the pattern of each other, this month and the next', async () => {
  const closed = await closedWithNextMonth(
    {
      'orders_2026-10.csv': shopify('2026-10-05', '#1'),
      'orders_etsy_2026-10.csv': etsy('10/05/26', '3001'),
    },
    {
      'orders_2026-11.csv': shopify('2026-11-05', '#2'),
      'orders_etsy_2026-11.csv': etsy('11/05/26', '3002'),
    },
  );
  expect(closed).toEqual({
    patterns: ['"orders_[0-9]*.csv"', 'orders_etsy_*.csv'],
    used: ['orders_etsy_2026-11.csv', 'orders_2026-11.csv'],
  });
});

test('a name that no pattern tells apart from another kind is marked: the next download has to be named', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'orders.csv'), shopify('2026-10-05', '#1'));
  await writeFile(join(folder, 'orders-notes.csv'), NO_TABLE);
  const ran = await tieout(['init', folder, '--yes', '--ship-from', '95814']);
  expect(ran.stdout).toContain(
    'shopify: orders.csv is named by itself; name the next download here as well\n',
  );
  expect(await readFile(join(folder, 'tieout.yaml'), 'utf8')).toContain('    files: [orders.csv]\n');
});
