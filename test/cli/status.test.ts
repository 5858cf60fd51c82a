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
    '2031-01            closed: NOT READY',
    '                   no-sales 0.00: none of the exports holds any sale of the period',
    '',
  ]);
  const one = JSON.parse((await status('2026-10', '--json')).stdout) as { periods: unknown[] };
  expect(one.periods).toEqual([expect.objectContaining({ period: '2026-10', exitCode: 0 })]);
});
