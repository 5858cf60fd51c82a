import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleMerchant, tieout } from '../support/tieout.ts';

const README = new URL('../../README.md', import.meta.url);
const readme = readFileSync(README, 'utf8');

/** How long a close took is different each time, and so are what is overdue and where the configuration lies. */
const timeless = (text: string): string =>
  text
    .replace(/, [\d.]+ s$/gm, '')
    .replace(/(; \d+ overdue[^;]*)?; `(npm run tieout --|tieout) status .*$/gm, '');

test('README can be read in one sitting', () => {
  expect(readme.split('\n').length).toBeLessThan(150);
});

test('README shows what a first close of the sample really prints, and what verifying it says', async () => {
  const merchant = await sampleMerchant();
  const { stdout } = await merchant.close(['2026-10']);
  const printed = timeless(stdout)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('/'));
  expect(printed.length).toBeGreaterThan(5);
  for (const line of printed) expect(timeless(readme)).toContain(`    ${line}\n`);
  const verified = await tieout(['verify', join(merchant.output, 'harbor-and-pine/2026-10')]);
  const held = verified.stdout.split('\n').filter((line) => line.startsWith('  ok '));
  expect(held.length).toBeGreaterThan(3);
  for (const line of held) expect(readme).toContain(`    ${line}\n`);
});

test('README leads to files that are there, and its pictures are small', () => {
  const named = [...readme.matchAll(/`((?:docs|samples|pipelines)\/[\w./-]+)`/g)].map(
    ([, path]) => path ?? '',
  );
  expect(named.length).toBeGreaterThan(15);
  for (const path of named) expect(() => statSync(new URL(path, README)), path).not.toThrow();
  const pictures = [...readme.matchAll(/!\[[^\]]{20,}\]\(([\w/-]+\.webp)\)/g)].map(([, path]) => path ?? '');
  expect(pictures).toHaveLength(3);
  for (const path of pictures) expect(statSync(new URL(path, README)).size, path).toBeLessThan(150_000);
});
