import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { converted, testWithLibreOffice } from '../support/libreoffice.ts';
import { storedCells } from '../support/stored-cells.ts';
import { temporaryFolder } from '../support/tieout.ts';
import { FORMULAS, rejectFile, uploadFile } from './formula-files.ts';

const unguarded = async (): Promise<string> =>
  `${FORMULAS.map((cell) => `"${cell.replaceAll('"', '""')}"`).join()}\n`;

/** Read a CSV file as UTF-8 with commas, and take for a formula whatever looks like one. */
const FORMULAS_EVALUATED = 'CSV:44,34,76,1,,0,false,true,false,false,false,0,true';

const formulasIn = async (csv: string): Promise<readonly string[]> => {
  const path = join(await temporaryFolder(), 'cells.csv');
  await writeFile(path, csv);
  return converted(
    path,
    'xlsx:Calc MS Excel 2007 XML',
    async (folder) => {
      const cells = await storedCells(join(folder, 'cells.xlsx'));
      expect(cells.length).toBeGreaterThan(FORMULAS.length - 2);
      return cells.flatMap(({ formula }) => formula ?? []);
    },
    [`--infilter=${FORMULAS_EVALUATED}`],
  );
};

testWithLibreOffice('LibreOffice takes unguarded cells for formulas', async () => {
  expect((await formulasIn(await unguarded())).length).toBeGreaterThan(2);
});

testWithLibreOffice('LibreOffice takes no cell of a reject file for a formula', async () => {
  expect(await formulasIn(await rejectFile())).toEqual([]);
});

testWithLibreOffice('LibreOffice takes no cell of an upload file for a formula', async () => {
  expect(await formulasIn(await uploadFile())).toEqual([]);
});
