import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { sampleMerchant, tieout } from '../support/tieout.ts';

test('status says how the last run of each period ended', async () => {
  const merchant = await sampleMerchant();
  const status = (...args: string[]) => tieout(['status', ...args, '--config', merchant.config]);
  expect((await status()).stdout).toBe('Nothing has been closed yet.\n');
  expect((await merchant.close(['2026-10'])).code).toBe(0);
  expect((await merchant.close(['2031-01'])).code).toBe(1);
  const told = await status();
  expect(told.stdout.split('\n').map((line) => line.replace(/ +run of .*/, ''))).toEqual([
    '2026-10            closed: READY',
    '                   variance 28.05, 0 open exceptions',
    `                   ${merchant.output}/harbor-and-pine/2026-10`,
    '2031-01            closed: NOT READY',
    '                   variance 0.00, 1 open exception',
    `                   ${merchant.output}/harbor-and-pine/2031-01`,
    '                   no-sales: none of the exports holds any sale of the period',
    '',
  ]);
  const one = JSON.parse((await status('2026-10', '--json')).stdout) as { periods: unknown[] };
  expect(one.periods).toEqual([expect.objectContaining({ period: '2026-10', exitCode: 0 })]);
});

test('a run that is at work is told from one that was cut off', async () => {
  const merchant = await sampleMerchant();
  const workspace = join(merchant.folder, '.tieout', 'workspace.db');
  expect((await merchant.close()).code).toBe(0);
  const database = new DatabaseSync(workspace);
  database.exec('update run set finished = null, exit_code = null');
  database.close();
  const status = async () => (await tieout(['status', '--config', merchant.config])).stdout;
  expect(await status()).toMatch(/^2026-10 +cut off: run it again +run of /);
  const holder = new DatabaseSync(`${workspace}.lock`);
  holder.exec('begin exclusive');
  expect(await status()).toMatch(/^2026-10 +running for .* s +run of /);
  holder.close();
});
