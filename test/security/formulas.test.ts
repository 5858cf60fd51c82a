import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { textEnd } from '../../src/workbook/text.ts';
import { FORMULAS, rejectFile, uploadFile } from './formula-files.ts';

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
