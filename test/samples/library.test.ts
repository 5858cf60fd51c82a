import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { PORTLAND, SEATTLE } from '../support/shop-exports.ts';

const PROGRAM = fileURLToPath(new URL('../../samples/library/tax-by-state.ts', import.meta.url));
const run = promisify(execFile);

test('samples/library adds up what a shop charged by state, and nothing is recorded or written', async () => {
  const shop = await month({
    orders: [
      { name: '#1' },
      { name: '#2', to: SEATTLE, tax: '10.35' },
      { name: '#3', to: PORTLAND, tax: '0.00' },
    ],
  });
  const { stdout, stderr } = await run(process.execPath, [PROGRAM, shop.config, '2026-10']);
  expect([stdout, stderr]).toEqual(['CA        10.75\nWA        10.35\nOR         0.00\n', '']);
  expect((await shop.published()).size).toBe(0);
  expect(await shop.records()).toEqual([]);
});
