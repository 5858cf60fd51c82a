import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { DEFAULT_CONTENT_FOLDER, loadContent } from '../../../src/content/load-content.ts';
import { damagedText } from '../damaged-text.ts';
import { type FuzzTarget, fuzzRun, inFolder, inTime, refusedClearly } from '../fuzz-target.ts';

/** Of each table the header and so many rows: the form of every kind of row, read in a millisecond or two. */
const ROWS = 6;

/** Tax content of a few rows with one damaged table: it is loaded in full, or refused clearly. */
export const contentRows: FuzzTarget = {
  name: 'content rows',
  share: 4_010,
  open: () =>
    inFolder(async (folder) => {
      const texts = new Map<string, string>();
      for (const name of await readdir(DEFAULT_CONTENT_FOLDER)) {
        const text = await readFile(join(DEFAULT_CONTENT_FOLDER, name), 'utf8');
        if (/\.(tsv|json)$/.test(name))
          texts.set(name, name.endsWith('.json') ? text : `${text.split('\n', ROWS + 1).join('\n')}\n`);
      }
      for (const [name, text] of texts) await writeFile(join(folder, name), text);
      loadContent(folder);
      const damaged = fc.oneof(
        ...[...texts].map(([name, text]) => damagedText(text).map((bytes) => ({ name, bytes }))),
      );
      return fuzzRun(damaged, async ({ name, bytes }) => {
        await writeFile(join(folder, name), bytes);
        await inTime(refusedClearly(() => loadContent(folder)));
        await writeFile(join(folder, name), texts.get(name) ?? '');
      });
    }),
};
