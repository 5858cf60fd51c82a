import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_CONTENT_FOLDER, loadContent } from '../../../src/service/content/load-content.ts';
import { temporaryFolder } from '../../support/tieout.ts';

test('a pattern of postcodes that is none is damage, with the place of its row', async () => {
  const folder = await temporaryFolder();
  await cp(DEFAULT_CONTENT_FOLDER, folder, { recursive: true });
  const table = join(folder, 'country-territories.tsv');
  const text = await readFile(table, 'utf8');
  await writeFile(table, text.replace('\t6691\t', '\t(6691\t'));
  expect(() => loadContent(folder)).toThrow(
    expect.objectContaining({
      code: 'E_CONTENT_DAMAGED',
      recovery: 'fix-config',
      message: 'country-territories.tsv:2: (6691 is not a pattern of postcodes',
    }),
  );
});
