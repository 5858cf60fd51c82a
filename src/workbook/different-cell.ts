import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import type { CellValue, Workbook } from 'exceljs';
import type JSZip from 'jszip';
import { openPromise } from 'yauzl';

/** The first difference between two workbooks. */
export type DifferentCell = {
  readonly sheet: string;
  readonly cell: string;
  readonly found: string;
  readonly expected: string;
};

/** Bytes by which a workbook may unpack to more than the other one; beyond that it is not read. */
const UNPACKED_FREE_BYTES = 16 * 1024 * 1024;

/**
 * Finds the first cell, sheet by sheet and row by row, whose value or formula differs from the other workbook;
 * `undefined` if all are equal.
 *
 * @param onlySheets Compares only these sheets
 * @throws {Error} when the first file is not a workbook
 */
export const differentCell = async (
  foundPath: string,
  expectedPath: string,
  onlySheets?: ReadonlySet<string>,
): Promise<DifferentCell | undefined> => {
  const limit = 2 * (await unpackedBytes(expectedPath, Number.MAX_SAFE_INTEGER)) + UNPACKED_FREE_BYTES;
  await unpackedBytes(foundPath, limit);
  const [found, expected] = [await cellsOf(foundPath, onlySheets), await cellsOf(expectedPath, onlySheets)];
  for (const sheet of new Set([...expected.keys(), ...found.keys()])) {
    const [left, right] = [found.get(sheet), expected.get(sheet)];
    if (!left || !right)
      return {
        sheet,
        cell: 'A1',
        found: left ? 'a sheet' : 'no sheet',
        expected: right ? 'a sheet' : 'none',
      };
    for (const cell of new Set([...right.keys(), ...left.keys()])) {
      const [isThere, shouldBe] = [left.get(cell) ?? EMPTY, right.get(cell) ?? EMPTY];
      if (isThere.value !== shouldBe.value)
        return { sheet, cell, found: isThere.value, expected: shouldBe.value };
      if (isThere.formula !== shouldBe.formula)
        return { sheet, cell, found: `=${isThere.formula}`, expected: `=${shouldBe.formula}` };
    }
  }
  return undefined;
};

type CellTexts = { readonly value: string; readonly formula: string };
type Cells = ReadonlyMap<string, CellTexts>;

const EMPTY: CellTexts = { value: '', formula: '' };

/** Reads the cells of the sheets to compare. */
const cellsOf = async (
  path: string,
  onlySheets: ReadonlySet<string> | undefined,
): Promise<ReadonlyMap<string, Cells>> => {
  // Loaded only when the workbooks differ: loading it takes longer than the rest of the check.
  const { default: ExcelWorkbook } = await import('exceljs/lib/doc/workbook.js');
  const workbook: Workbook = new ExcelWorkbook();
  const bytes = await readFile(path);
  const read = onlySheets ? await withSheetsOnly(bytes, onlySheets) : bytes;
  await workbook.xlsx.load(read as unknown as ArrayBuffer);
  const sheets = workbook.worksheets.filter(({ name }) => onlySheets?.has(name) ?? true);
  return new Map(
    sheets.map((sheet) => {
      const cells = new Map<string, CellTexts>();
      sheet.eachRow((row) => row.eachCell((cell) => cells.set(cell.address, textsOf(cell.value))));
      return [sheet.name, cells];
    }),
  );
};

const textsOf = (value: CellValue): CellTexts => {
  if (value === null || typeof value !== 'object' || value instanceof Date)
    return { value: textOf(value), formula: '' };
  if ('sharedFormula' in value) return { value: textOf(value.result), formula: value.sharedFormula };
  if ('formula' in value) return { value: textOf(value.result), formula: value.formula };
  return { value: JSON.stringify(value), formula: '' };
};

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** Counts the bytes that a package unpacks to, up to the limit. It unpacks, because sizes in headers may be false. */
const unpackedBytes = async (path: string, limit: number): Promise<number> => {
  const archive = await openPromise(path, { autoClose: false });
  let bytes = 0;
  try {
    for await (const entry of archive.eachEntry()) {
      for await (const piece of await archive.openReadStreamPromise(entry)) {
        bytes += (piece as Buffer).length;
        if (bytes > limit) throw new Error('it unpacks to much more than it should');
      }
    }
  } finally {
    archive.close();
  }
  return bytes;
};

/**
 * Returns a workbook whose sheets are empty, but for those of these names. A program that reads a whole workbook would
 * otherwise hold each cell of sheets that are not compared: 2.3 GB for a month of ten million orders.
 *
 * The package is read and written by the program with which exceljs reads it, so that a false one cannot be two things
 * to two programs. A sheet is emptied only if the package names it plainly; anything else stays as it is.
 *
 * @param bytes the package
 * @throws {Error} when it is not a package
 */
export const withSheetsOnly = async (bytes: Uint8Array, names: ReadonlySet<string>): Promise<Uint8Array> => {
  // Loaded only when the workbooks differ, with exceljs.
  const { default: Package } = await import('jszip');
  const archive = await Package.loadAsync(bytes);
  const emptied = sheetsBeside(names, {
    workbook: await partText(archive, 'xl/workbook.xml'),
    relations: await partText(archive, 'xl/_rels/workbook.xml.rels'),
  });
  for (const part of emptied) {
    archive.file(part, EMPTY_SHEET);
    archive.remove(part.replace('worksheets/', 'worksheets/_rels/').concat('.rels'));
  }
  // Parts that are packed in this way already are copied as they are.
  return archive.generateAsync({ type: 'uint8array', compression: 'DEFLATE' });
};

const EMPTY_SHEET =
  '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData/></worksheet>';

/** Lists the parts of the sheets that have other names. */
const sheetsBeside = (
  names: ReadonlySet<string>,
  { workbook, relations }: { readonly workbook: string; readonly relations: string },
): ReadonlySet<string> => {
  const parts = new Map(
    [...relations.matchAll(/<Relationship\s[^<>]*>/g)].map(([element]) => [
      attribute(element, 'Id'),
      posix.resolve('/xl', attribute(element, 'Target') ?? '').slice(1),
    ]),
  );
  return new Set(
    [...workbook.matchAll(/<sheet\s[^<>]*>/g)].flatMap(([element]) => {
      const name = attribute(element, 'name');
      const part = parts.get(attribute(element, 'r:id'));
      const isPlain = name !== undefined && part !== undefined && !name.includes('&');
      return isPlain && !names.has(name) && SHEET_PART.test(part) ? [part] : [];
    }),
  );
};

const SHEET_PART = /^xl\/worksheets\/sheet\d+\.xml$/;

const attribute = (element: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(element)?.[1];

const partText = async (archive: JSZip, path: string): Promise<string> =>
  (await archive.file(path)?.async('string')) ?? '';
