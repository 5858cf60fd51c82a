import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { differentCell } from '../../src/workbook/different-cell.ts';
import { zipOf } from '../hostile/zip-of.ts';
import { readPackage } from '../support/read-package.ts';
import { temporaryFolder } from '../support/tieout.ts';

type Sheets = Readonly<Record<string, string>>;
type Packed = ReadonlyMap<string, Buffer>;

const packageOf = async (sheets: Sheets): Promise<Packed> => {
  const workbook = new ExcelJS.Workbook();
  for (const [name, text] of Object.entries(sheets)) {
    const sheet = workbook.addWorksheet(name);
    sheet.getCell('B2').value = text;
    sheet.getCell('B2').note = `about ${text}`;
    sheet.addTable({ name: `T${sheet.id}`, ref: 'D4', columns: [{ name: 'x' }], rows: [[text]] });
  }
  return readPackage(Buffer.from(await workbook.xlsx.writeBuffer()));
};

const written = async (files: Packed): Promise<string> => {
  const path = join(await temporaryFolder(), 'book.xlsx');
  await writeFile(path, await zipOf(Object.fromEntries(files)));
  return path;
};

const compare = async (found: Packed, expected: Packed, only?: readonly string[]) =>
  differentCell(await written(found), await written(expected), only && new Set(only));

describe('workbooks are compared', () => {
  test('cell by cell', async () => {
    const [left, right] = [
      await packageOf({ Bridge: 'a', Detail: 'b' }),
      await packageOf({ Bridge: 'a', Detail: 'c' }),
    ];
    expect(await compare(left, left)).toBeUndefined();
    expect(await compare(left, right)).toEqual({ sheet: 'Detail', cell: 'B2', found: 'b', expected: 'c' });
  });

  test('in the sheets that are relied upon alone', async () => {
    const [left, right] = [
      await packageOf({ Bridge: 'a', Detail: 'b' }),
      await packageOf({ Bridge: 'd', Detail: 'c' }),
    ];
    expect(await compare(left, right, ['Bridge'])).toMatchObject({
      sheet: 'Bridge',
      found: 'a',
      expected: 'd',
    });
    expect(await compare(left, right, ['Detail'])).toMatchObject({
      sheet: 'Detail',
      found: 'b',
      expected: 'c',
    });
    expect(await compare(left, right, [])).toBeUndefined();
  });

  test('and a file that is not a workbook is refused', async () => {
    const path = await written(await packageOf({ Bridge: 'a' }));
    const other = join(await temporaryFolder(), 'other.xlsx');
    await writeFile(other, (await readFile(path)).subarray(0, 500));
    await expect(differentCell(other, path, new Set(['Bridge']))).rejects.toThrow();
  });
});
