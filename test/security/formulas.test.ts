import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { csvText, text } from '../../src/close/filing/upload/csv-text.ts';
import { writeRejects } from '../../src/close/report/write-rejects.ts';
import { textCell } from '../../src/close/workbook/cell-xml.ts';
import { converted, testWithLibreOffice } from '../support/libreoffice.ts';
import { storedCells } from '../support/stored-cells.ts';
import { temporaryFolder } from '../support/tieout.ts';

/** Each would be a formula, or part of one, to a program that is too helpful. */
const FORMULAS = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(1,1)',
  '\t=1+1',
  '\r=1+1',
  '=HYPERLINK("http://x","y")',
  "=cmd|' /C calc'!A1",
  '＝1+1',
  'a\r=1+1',
  'a\n=1+1',
  '\r\n=1+1',
];

const rejectFile = async (): Promise<string> => {
  const folder = await temporaryFolder();
  const origin = { file: '=1+1.csv', line: 2, record: '=2+2' };
  const record = {
    origin,
    reason: { code: 'x', message: '@SUM(1,1)', column: '=A1' },
    value: '=3+3',
    rows: [{ line: 2, cells: FORMULAS }],
  };
  const header = FORMULAS.map((_, index) => `=${index}+1`);
  await writeRejects(folder, [
    { channel: 'shop', path: 'a.csv', sha256: '', header, records: [record as never] },
  ]);
  const [name = ''] = await readdir(join(folder, 'rejects', 'shop'));
  return readFile(join(folder, 'rejects', 'shop', name), 'utf8');
};

const uploadFile = async (): Promise<string> => csvText([FORMULAS.map(text)]);
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

test.for(FORMULAS)('a text of a workbook is no formula, whatever it begins with: %j', (formula) => {
  expect(textCell('A1', '0', formula)).toMatch(/^<c r="A1" s="0" t="inlineStr"><is><t/);
  expect(textCell('A1', '0', formula)).not.toContain('<f>');
});

test.for([
  ['reject', rejectFile],
  ['upload', uploadFile],
] as const)('no cell of a file of kind %s begins like a formula to Excel', async ([, file]) => {
  const rows = parse(await file(), { record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true });
  const cells = (rows as string[][]).flat();
  expect(cells.length).toBeGreaterThan(FORMULAS.length - 1);
  expect(cells.filter((cell) => /^[=+\-@\t\r＝＋－＠]/.test(cell))).toEqual([]);
});
