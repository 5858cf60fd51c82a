import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, onTestFinished, test } from 'vitest';

const SAMPLES = join(import.meta.dirname, '../../samples');

test.for([
  ['harbor-and-pine', 'orders_export.csv payment_transactions_export.csv desk_orders.csv expected.json'],
  ['cedar-and-slate', 'orders_export.csv market_orders.csv'],
] as const)('the committed files of %s are what its generator writes', ([sample, files]) => {
  const folder = mkdtempSync(join(tmpdir(), 'generated-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  execFileSync(process.execPath, [join(SAMPLES, sample, 'build.ts'), folder]);
  for (const name of files.split(' '))
    expect(readFileSync(join(folder, name), 'utf8')).toBe(readFileSync(join(SAMPLES, sample, name), 'utf8'));
});

const orders = readFileSync(join(SAMPLES, 'harbor-and-pine/orders_export.csv'), 'utf8');
const rows = parse<Record<'Name' | 'Taxes', string>>(orders, { columns: true });

/** Taxes that were worked out by hand. */
test.for([
  ['#5156', '5.13', 'Massachusetts taxes 64.00 of a 239.00 parka, and the 18.00 mug, at 6.25 percent'],
  ['#5048', '0.00', 'Massachusetts exempts clothing up to 175.00, and shipping'],
  ['#5229', '3.12', 'Monroe County taxes a 78.00 shirt at 4 percent, New York State does not'],
  ['#5076', '0.00', 'New York City follows the state: four tees at 32.00 are each under 110.00'],
  ['#5281', '16.01', 'from 110.00 on a jacket is taxed in full, 182.95 at 8.75 percent in Buffalo'],
  ['#5112', '3.21', 'Savannah: 3 percent on coffee, 7 on the bottle, and their shares of the shipping'],
  ['#5263', '5.12', 'sold in the shop at Sacramento, 58.50 at 8.75 percent'],
  ['#5010', '10.00', 'Oakland: 92.99 at 10.75 percent, shipping untaxed in California'],
  ['#5310', '14.55', 'Seattle: 137.95 with shipping at 10.55 percent'],
] as const)('%s carries %s: %s', ([name, taxes]) => {
  expect(rows.find((row) => row.Name === name)?.Taxes).toBe(taxes);
});
