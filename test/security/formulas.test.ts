import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { writeRejects } from '../../src/books/files-to-fill-in.ts';
import { csvText, guarded } from '../../src/filing/upload-files.ts';
import { textEnd } from '../../src/workbook/text.ts';
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

/** A reject file whose every text is one of them or another. */
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

/** An upload file of one row of them. */
const uploadFile = async (): Promise<string> => csvText([FORMULAS.map(guarded)]);

test.for(FORMULAS)('a text of a workbook is not a formula, whatever it begins with: %j', (formula) => {
  expect(textEnd(formula)).toMatch(/^ t="inlineStr"><is><t/);
  expect(textEnd(formula)).not.toContain('<f>');
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
