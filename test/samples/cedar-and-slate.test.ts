import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { expect, onTestFinished, test } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../samples/cedar-and-slate/', import.meta.url));
const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const rowsOf = (name: string): readonly Record<string, string>[] => parse(textOf(name), { columns: true });
const cents = (text: string | undefined): number => Math.round(Number(text) * 100);

test('the committed files are what the generator writes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cedar-and-slate-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  execFileSync(process.execPath, [join(FOLDER, 'build.ts'), folder]);
  for (const name of ['orders_export.csv', 'market_orders.csv'])
    expect(readFileSync(join(folder, name), 'utf8')).toBe(textOf(name));
});

test('there are 48 orders in eight states, whose tax lines come to the tax, each at its rate to the cent', () => {
  const rows = rowsOf('orders_export.csv');
  expect(rows.length).toBe(48);
  expect(new Set(rows.map((row) => row['Shipping Province'])).size).toBe(8);
  for (const row of rows) {
    const taxes = [1, 2, 3, 4, 5].filter((slot) => row[`Tax ${slot} Name`] !== '');
    const values = taxes.map((slot) => cents(row[`Tax ${slot} Value`]));
    expect(values.reduce((total, value) => total + value, 0)).toBe(cents(row['Taxes']));
    taxes.forEach((slot, index) => {
      const percent = Number(/ ([\d.]+)%$/.exec(row[`Tax ${slot} Name`] ?? '')?.[1]);
      const exact = (cents(row['Subtotal']) * percent) / 100;
      expect(Math.abs(exact - (values[index] ?? 0))).toBeLessThanOrEqual(0.5 + 1e-9);
    });
  }
});

test('one order to New York lacks the district that the others have', () => {
  const orders = rowsOf('orders_export.csv').filter((row) => row['Shipping City'] === 'New York');
  const without = orders.filter((row) => !Object.values(row).some((cell) => cell.includes('Commuter')));
  expect(orders.length).toBeGreaterThan(1);
  expect(without.map((row) => row['Name'])).toEqual(['#3047']);
});

test('nine orders of the desk went to one place, with no line to say its rate', () => {
  const rows = rowsOf('market_orders.csv');
  expect(rows.filter((row) => row['shiptocity'] === 'Grand Junction').length).toBe(9);
  expect(Object.keys(rows[0] ?? {}).filter((column) => /tax/i.test(column))).toEqual(['sales_tax']);
});
