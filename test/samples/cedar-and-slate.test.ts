import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../samples/cedar-and-slate/', import.meta.url));
const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

test('the committed files are what the generator writes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cedar-and-slate-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  execFileSync(process.execPath, [join(FOLDER, 'build.ts'), folder]);
  for (const name of ['orders_export.csv', 'market_orders.csv'])
    expect(readFileSync(join(folder, name), 'utf8')).toBe(textOf(name));
});
