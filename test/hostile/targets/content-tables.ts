import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { loadContent } from '../../../src/content/load-content.ts';
import { damagedText } from '../damaged-text.ts';
import { type FuzzTarget, fuzzRun, inTime, refusedClearly } from '../fuzz-target.ts';

const CONTENT = fileURLToPath(new URL('../../../src/content/data', import.meta.url));

/** A folder of tax content with one damaged table. Each load reads all of it, so these are few. */
export const contentTables: FuzzTarget = {
  name: 'content tables',
  share: 10,
  open: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tieout-fuzz-'));
    await cp(CONTENT, folder, { recursive: true });
    const names = (await readdir(folder)).filter((name) => /\.(tsv|json)$/.test(name)).sort();
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    const damaged = fc.oneof(
      ...names.map((name, index) => damagedText(texts[index] ?? '').map((bytes) => ({ name, bytes }))),
    );
    return {
      run: fuzzRun(damaged, async ({ name, bytes }) => {
        await writeFile(join(folder, name), bytes);
        await inTime(refusedClearly(() => loadContent(folder)));
        await writeFile(join(folder, name), texts[names.indexOf(name)] ?? '');
      }),
      close: () => rm(folder, { recursive: true }),
    };
  },
};
