import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { readFilingLaw } from '../../src/filing/read-filing-law.ts';
import { temporaryFolder } from '../support/tieout.ts';

test('a row of law with a mistake is refused with its file, every place and rule, and what to try', async () => {
  const folder = await temporaryFolder();
  await cp(new URL('../../src/filing/data', import.meta.url), folder, { recursive: true });
  const file = join(folder, 'forms/ma-st-9.yaml');
  const form = await readFile(file, 'utf8');
  await writeFile(file, form.replace(/^revision.*$/m, 'revison: 3/15').replace('rate.state', 'rate.stat'));
  expect(() => readFilingLaw(pathToFileURL(`${folder}/`))).toThrow(
    expect.objectContaining({
      code: 'E_LAW_INVALID',
      message: `${file}: revision: is missing; unknown key "revison"; did you mean "revision"?`,
    }),
  );
  await writeFile(file, form.replace('rate.state', 'rate.stat'));
  expect(() => readFilingLaw(pathToFileURL(`${folder}/`))).toThrow(
    `${file}: lines: line 7 speaks of the rate stat, which there is not`,
  );
});
