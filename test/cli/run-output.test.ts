import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { month } from '../support/month.ts';

const ORDERS = [{ name: '#1' }, { name: '#2', at: '2026-10-12' }];

test('the last line of a close says all of its outcome, after a line for each stage', async () => {
  const shop = await month({ orders: ORDERS });
  const { code, stdout } = await shop.run('close', '2026-10');
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
    /^2026-10: READY, with local rates known until 2026-03-31, exit code 0, variance -?\d+\.\d\d, 0 open exceptions, [\d.]+ s$/,
  );
  const stages = ['extract', 'recompute', 'coverage', 'submit', 'read back', 'reconcile', 'report'];
  expect(stdout.match(/^[a-z ]+(?=: )/gm)?.slice(0, stages.length)).toEqual(stages);
});

test('a plan ends with 1 when it needs more than is allowed, and the first close after it says what was read', async () => {
  const shop = await month({ orders: ORDERS });
  expect((await shop.run('close', '2026-10', '--plan', '--max-calculations', '2')).code).toBe(0);
  const over = await shop.run('close', '2026-10', '--plan', '--max-calculations', '0');
  expect([over.code, over.stdout]).toEqual([1, expect.stringMatching(/of 0 allowed/)]);
  const json = await shop.run('close', '2026-10', '--plan', '--max-calculations', '0', '--json');
  expect(json.code).toBe(1);
  expect((await shop.run('close', '2026-10')).stdout).toMatch(
    /^extract: 2 rows: 2 used, 0 ignored, 0 rejected$/m,
  );
});

test('a period that is not over is named as preliminary', async () => {
  const shop = await month({ orders: ORDERS });
  expect((await shop.run('close', '2026-10')).stdout).not.toContain('preliminary');
  const { stdout } = await shop.run('close', '2199-01');
  expect(stdout).toMatch(
    /^period: 2199-01 begins on 2199-01-01, and today is \d{4}-\d\d-\d\d: these books are preliminary; /m,
  );
  const word = 'preliminary: the period is not over';
  expect(stdout.trimEnd().split('\n').at(-1)).toContain(`READY, ${word}, exit code`);
  expect((await shop.run('status', '2199-01')).stdout).toContain(`READY, ${word}`);
  expect((await shop.run('status', '2026-10')).stdout).not.toContain(word);
  const signed = await shop.run(
    'sign',
    '2199-01',
    '--as',
    'Dana',
    '--role',
    'preparer',
    '--open-exceptions',
    'none',
  );
  expect(signed.stderr).toContain('these books are preliminary');
  expect(await readFile(join(shop.out('2199-01'), 'report.html'), 'utf8')).toContain(
    'before the period was over. Close it again after its last day, 2199-01-31.</p>',
  );
  await shop.change({ orders: [...ORDERS, { name: '#99', at: '2199-01-02' }] });
  expect((await shop.run('close', '2199-01', '--only-news')).stdout).toContain(`2199-01: READY, ${word}`);
});
