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

const changed = (files: Packed, path: string, change: (text: string) => string): Packed => {
  const content = change(files.get(path)?.toString('utf8') ?? '');
  return new Map([...files, [path, Buffer.from(content)]]);
};

const compare = async (found: Packed, expected: Packed, only?: readonly string[]) =>
  differentCell(await written(found), await written(expected), only && new Set(only));

const SECOND_SHEET = 'xl/worksheets/sheet2.xml';

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

  test('without reading the other sheets', async () => {
    const book = await packageOf({ Bridge: 'a', Detail: 'b' });
    const broken = changed(book, SECOND_SHEET, () => '<worksheet><sheetData><row>');
    await expect(compare(broken, book)).rejects.toThrow();
    expect(await compare(broken, book, ['Bridge'])).toBeUndefined();
  });

  test('by the sheet that a name leads to, whatever its file is called', async () => {
    const book = await packageOf({ Bridge: 'a', Detail: 'b' });
    const swapped = changed(book, 'xl/workbook.xml', (text) =>
      text.replace('"Bridge"', '"?"').replace('"Detail"', '"Bridge"').replace('"?"', '"Detail"'),
    );
    expect(await compare(swapped, book, ['Bridge'])).toMatchObject({
      sheet: 'Bridge',
      found: 'b',
      expected: 'a',
    });
  });

  test('also where two names lead to one sheet', async () => {
    const book = await packageOf({ Bridge: 'a', Detail: 'b' });
    const shared = changed(book, 'xl/_rels/workbook.xml.rels', (text) =>
      text.replaceAll('sheet2.xml', 'sheet1.xml'),
    );
    expect(await compare(shared, book, ['Detail'])).toMatchObject({ sheet: 'Detail' });
  });

  test('also where a sheet that is relied upon is missing or spelled in another way', async () => {
    const book = await packageOf({ Bridge: 'a', Detail: 'b' });
    const renamed = changed(book, 'xl/workbook.xml', (text) => text.replace('"Bridge"', '"Br"'));
    expect(await compare(renamed, book, ['Bridge'])).toMatchObject({ sheet: 'Bridge', found: 'no sheet' });
    const spelled = changed(book, 'xl/workbook.xml', (text) => text.replace('"Bridge"', '"Br&#105;dge"'));
    expect(await compare(spelled, book, ['Bridge'])).toBeUndefined();
  });

  test('also where a clean copy of a changed sheet lies beside it under a name that some programs take for its own', async () => {
    const book = await packageOf({ Bridge: 'a', Detail: 'b' });
    const forged = await packageOf({ Bridge: 'z', Detail: 'b' });
    const clean = book.get('xl/worksheets/sheet1.xml') ?? Buffer.of();
    const beside = await written(new Map([...forged, ['xl_worksheets_sheet1.xml', clean]]));
    const named = (await readFile(beside))
      .toString('latin1')
      .replaceAll('xl_worksheets_', 'xl\\worksheets\\');
    await writeFile(beside, named, 'latin1');
    const only = await differentCell(beside, await written(book), new Set(['Bridge']));
    expect(only).toMatchObject({ sheet: 'Bridge', found: 'z', expected: 'a' });
  });

  test('and a file that is not a workbook is refused', async () => {
    const path = await written(await packageOf({ Bridge: 'a' }));
    const other = join(await temporaryFolder(), 'other.xlsx');
    await writeFile(other, (await readFile(path)).subarray(0, 500));
    await expect(differentCell(other, path, new Set(['Bridge']))).rejects.toThrow();
  });
});
