import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sampleMerchant } from '../support/tieout.ts';

test('README shows what a first close of the sample really prints', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const merchant = await sampleMerchant();
  const { stdout } = await merchant.close(['2026-10']);
  const printed = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('/'));
  expect(printed.length).toBeGreaterThan(5);
  for (const line of printed) expect(readme).toContain(`    ${line}\n`);
});
