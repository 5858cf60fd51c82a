import type { CellValue, Workbook } from 'exceljs';
import { openPromise } from 'yauzl';

/** Where two workbooks differ, and how. */
export type DifferentCell = {
  readonly sheet: string;
  readonly cell: string;
  readonly found: string;
  readonly expected: string;
};

/** A workbook that unpacks to so much more than the other one is not read. */
const UNPACKED_FREE_BYTES = 16 * 1024 * 1024;

/**
 * The first cell, sheet by sheet and row by row, whose value or formula is not that of the other workbook; `undefined`
 * when there is none.
 *
 * @param onlySheets looks at these sheets alone
 * @throws {Error} when the first one is no workbook
 */
export const differentCell = async (
  foundPath: string,
  expectedPath: string,
  onlySheets?: ReadonlySet<string>,
): Promise<DifferentCell | undefined> => {
  const limit = 2 * (await unpackedBytes(expectedPath, Number.MAX_SAFE_INTEGER)) + UNPACKED_FREE_BYTES;
  await unpackedBytes(foundPath, limit);
  const [found, expected] = [await cellsOf(foundPath), await cellsOf(expectedPath)];
  for (const sheet of new Set([...expected.keys(), ...found.keys()])) {
    if (onlySheets && !onlySheets.has(sheet)) continue;
    const [left, right] = [found.get(sheet), expected.get(sheet)];
    if (!left || !right)
      return {
        sheet,
        cell: 'A1',
        found: left ? 'a sheet' : 'no sheet',
        expected: right ? 'a sheet' : 'none',
      };
    for (const cell of new Set([...right.keys(), ...left.keys()])) {
      const [isThere, shouldBe] = [left.get(cell) ?? '', right.get(cell) ?? ''];
      if (isThere !== shouldBe) return { sheet, cell, found: isThere, expected: shouldBe };
    }
  }
  return undefined;
};

type Cells = ReadonlyMap<string, string>;

const cellsOf = async (path: string): Promise<ReadonlyMap<string, Cells>> => {
  // Loaded only for workbooks that differ: it takes longer to load than the rest of the check.
  const { default: ExcelWorkbook } = await import('exceljs/lib/doc/workbook.js');
  const workbook: Workbook = new ExcelWorkbook();
  await workbook.xlsx.readFile(path);
  return new Map(
    workbook.worksheets.map((sheet) => {
      const cells = new Map<string, string>();
      sheet.eachRow((row) => row.eachCell((cell) => cells.set(cell.address, textOf(cell.value))));
      return [sheet.name, cells];
    }),
  );
};

const textOf = (value: CellValue): string => {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object') return String(value);
  if ('result' in value || 'formula' in value || 'sharedFormula' in value) {
    const formula = 'formula' in value ? value.formula : value.sharedFormula;
    return `${textOf(value.result as CellValue)} (=${formula})`;
  }
  return JSON.stringify(value);
};

/** What a package unpacks to. Its own statements may be lies: it is unpacked as far as the limit. */
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
