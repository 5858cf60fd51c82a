import { readFile } from 'node:fs/promises';
import type { CellValue, Workbook } from 'exceljs';
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
 * `undefined` if all are equal. A program that saves a workbook calculates it: the result of a formula that is the same
 * counts only if no other cell differs.
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
  const found = await cellsOf(foundPath, onlySheets);
  const expected = await cellsOf(expectedPath, onlySheets);
  let calculated: DifferentCell | undefined;
  for (const sheet of new Set([...expected.keys(), ...found.keys()])) {
    const left = found.get(sheet);
    const right = expected.get(sheet);
    if (!left || !right)
      return {
        sheet,
        cell: 'A1',
        found: left ? 'a sheet' : 'no sheet',
        expected: right ? 'a sheet' : 'none',
      };
    for (const cell of new Set([...right.keys(), ...left.keys()])) {
      const isThere = left.get(cell) ?? EMPTY;
      const shouldBe = right.get(cell) ?? EMPTY;
      const values = { sheet, cell, found: isThere.value, expected: shouldBe.value };
      if (isThere.formula !== shouldBe.formula)
        return isThere.value === shouldBe.value
          ? { ...values, found: `=${isThere.formula}`, expected: `=${shouldBe.formula}` }
          : values;
      if (isThere.value === shouldBe.value) continue;
      if (shouldBe.formula === '') return values;
      calculated ??= values;
    }
  }
  return calculated;
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
  await workbook.xlsx.load((await readFile(path)) as unknown as ArrayBuffer);
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
  if ('sharedFormula' in value) return { value: textOf(value.result), formula: bare(value.sharedFormula) };
  if ('formula' in value) return { value: textOf(value.result), formula: bare(value.formula) };
  // Programs write the address of a link in their own way.
  return { value: textOf('text' in value ? value.text : value), formula: '' };
};

/** Returns a formula without what programs write in their own way: quotes around names of sheets, zeros after the point. */
const bare = (formula: string): string =>
  formula.replace(/[' ]/g, '').replace(/\.(\d*?)0+(?!\d)/g, (_, rest) => (rest === '' ? '' : `.${rest}`));

/** Digits that programs agree on in sums of binary fractions. */
const DIGITS = 13;

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number') return String(Number(value.toPrecision(DIGITS)));
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
