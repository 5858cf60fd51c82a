import { readFile } from 'node:fs/promises';
import type { Workbook } from 'exceljs';
import { openPromise } from 'yauzl';

/** Bytes by which a workbook may unpack to more than the other one; beyond that it is not read. */
const UNPACKED_FREE_BYTES = 16 * 1024 * 1024;

/** Longer texts of cells are cut off. */
const TEXT_LENGTH_MAX = 80;

/**
 * Names the first cell, sheet by sheet and row by row, whose value or formula differs from the other workbook;
 * `undefined` if all are equal.
 *
 * @param onlySheets Compares only these sheets
 * @throws {Error} when the first file is not a workbook
 */
export const differentCell = async (
  foundPath: string,
  expectedPath: string,
  onlySheets?: ReadonlySet<string>,
): Promise<string | undefined> => {
  const limit = 2 * (await unpackedBytes(expectedPath, Number.MAX_SAFE_INTEGER)) + UNPACKED_FREE_BYTES;
  await unpackedBytes(foundPath, limit);
  const found = await cellsOf(foundPath, onlySheets);
  const expected = await cellsOf(expectedPath, onlySheets);
  const place = [...expected.keys(), ...found.keys()].find((cell) => found.get(cell) !== expected.get(cell));
  if (place === undefined) return undefined;
  const textIn = (cells: typeof found): string =>
    cells.get(place)?.slice(0, TEXT_LENGTH_MAX) ?? 'an empty cell';
  return `${place}: found ${textIn(found)}, expected ${textIn(expected)}`;
};

/** Reads the cells of the sheets to compare, as texts by their places. */
const cellsOf = async (
  path: string,
  onlySheets: ReadonlySet<string> | undefined,
): Promise<ReadonlyMap<string, string>> => {
  // Loaded only when the workbooks differ: loading it takes longer than the rest of the check.
  const { default: ExcelWorkbook } = await import('exceljs/lib/doc/workbook.js');
  const workbook: Workbook = new ExcelWorkbook();
  await workbook.xlsx.load((await readFile(path)) as unknown as ArrayBuffer);
  const cells = new Map<string, string>();
  for (const sheet of workbook.worksheets) {
    if (onlySheets?.has(sheet.name) === false) continue;
    sheet.eachRow((row) =>
      row.eachCell(({ address, result, formula, value }) => {
        const shown = formula ? `${textOf(result)} of ${formula}` : textOf(value);
        cells.set(`sheet ${sheet.name}, cell ${address}`, shown);
      }),
    );
  }
  return cells;
};

const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');

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
