import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { filesBelow } from '../../src/runtime/publish-folder.ts';
import { sampleMerchant, tieout } from '../support/tieout.ts';

test('any one byte that is changed in any file of a published folder is found', async () => {
  const merchant = await sampleMerchant();
  expect((await merchant.close()).stderr).toBe('');
  const folder = join(merchant.output, 'harbor-and-pine', '2026-10');
  const files = await filesBelow(folder);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (file, place, by) => {
        const path = join(folder, file);
        const bytes = await readFile(path);
        const changed = Buffer.from(bytes);
        const at = place % changed.length;
        changed[at] = ((changed[at] ?? 0) + by) % 256;
        await writeFile(path, changed);
        const { code } = await tieout(['verify', folder]);
        await writeFile(path, bytes);
        return code === 1 || isBlankInJson(file, bytes, changed);
      },
    ),
    { numRuns: 40 },
  );
});

/** White space between the tokens of the manifest carries nothing. */
const isBlankInJson = (file: string, before: Buffer, after: Buffer): boolean => {
  if (!file.endsWith('.json')) return false;
  try {
    return JSON.stringify(JSON.parse(before.toString())) === JSON.stringify(JSON.parse(after.toString()));
  } catch {
    return false;
  }
};
