import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sharedSumming } from '../../src/app/verify/verify-folders.ts';
import { verifyEvidence } from '../../src/close/evidence/verify-evidence.ts';
import { closeHere } from '../support/close-here.ts';
import { variedShop } from '../support/varied-shop.ts';

test('sales of one folder that several threads add up give what one thread finds', async () => {
  const shop = await variedShop({ count: 1_300, dayOf: (index) => 1 + (index % 31) });
  await closeHere(shop);
  const folder = join(shop, 'out', 'shop', '2026-10');
  const { build } = (
    JSON.parse(await readFile(join(folder, 'evidence/manifest.json'), 'utf8')) as {
      readonly content: { readonly build: string };
    }
  ).content;
  let begun = 0;
  const count = () => {
    begun += 1;
  };
  const both = async () => {
    const [alone, shared] = [
      await verifyEvidence(folder, { build }),
      await verifyEvidence(folder, { build }, sharedSumming(2, 0)),
    ];
    expect(shared).toEqual(alone);
    return shared;
  };
  process.on('worker', count);
  try {
    expect((await both()).holds).toBe(true);
    expect(begun).toBe(2);

    const path = join(folder, 'evidence/entries.ndjson.gz');
    const lines = gunzipSync(await readFile(path))
      .toString()
      .split('\n');
    const changed = new Set([700, 1_200]);
    const other = lines.map((line, index) =>
      changed.has(index) ? line.replace('"salesTax":', '"salesTax":1') : line,
    );
    expect(other.filter((line, index) => line !== lines[index])).toHaveLength(2);
    await writeFile(path, gzipSync(other.join('\n')));
    const { holds, verdicts } = await both();
    expect(holds).toBe(false);
    expect(verdicts[0]?.problem).toContain('by the logs: ');
  } finally {
    process.off('worker', count);
  }
});
