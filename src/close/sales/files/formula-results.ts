import type { ValueType, Worksheet } from 'exceljs';
import { fromBufferPromise } from 'yauzl';
import { ExportError } from '../export-error.ts';
import { calledColumns } from './normal-column.ts';
import type { TableRow } from './table-row.ts';

/** A formula without a stored result, as programs write that do not calculate: its value is not known. */
export type Uncalculated = { readonly line: number; readonly column: number; readonly address: string };

/**
 * List the formulas without a stored result, sheet by sheet. An empty text is a result, such as that of `IF(A2="","",…)`.
 *
 * @param bytes the workbook
 */
export const uncalculatedIn = async (
  sheets: readonly Worksheet[],
  bytes: Buffer,
): Promise<ReadonlyMap<Worksheet, readonly Uncalculated[]>> => {
  const found = new Map(sheets.map((sheet) => [sheet, withoutResult(sheet)]));
  if ([...found.values()].every(({ length }) => length === 0)) return found;
  const texts = await textCells(bytes);
  return new Map([...found].map(([sheet, all]) => [sheet, all.filter(({ address }) => !texts.has(address))]));
};

const withoutResult = (sheet: Worksheet): readonly Uncalculated[] => {
  const found: Uncalculated[] = [];
  sheet.eachRow((row, line) => {
    row.eachCell((cell, column) => {
      if (cell.type === FORMULA && cell.result === undefined)
        found.push({ line, column, address: cell.address });
    });
  });
  return found;
};

const FORMULA: ValueType.Formula = 6;

/**
 * The addresses of cells that are declared as texts, in any sheet, since exceljs does not tell an empty text from no
 * result. A workbook is calculated as a whole, so the sheets need not be told apart.
 */
const textCells = async (bytes: Buffer): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  const archive = await fromBufferPromise(bytes, { autoClose: false });
  for await (const entry of archive.eachEntry()) {
    if (!entry.fileName.startsWith('xl/worksheets/')) continue;
    let text = '';
    for await (const piece of await archive.openReadStreamPromise(entry)) {
      text += (piece as Buffer).toString('latin1');
      for (const [, attributes = ''] of text.matchAll(/<c\s([^>]*)>/g))
        if (/\bt=["']str["']/.test(attributes)) found.add(/\br=["']([A-Z]+\d+)/.exec(attributes)?.[1] ?? '');
      text = text.slice(Math.max(0, text.lastIndexOf('<')));
    }
  }
  return found;
};

/**
 * Refuse a sheet with such a formula below its header, in one of the columns that are read.
 *
 * @throws {ExportError} E_EXPORT_ARCHIVE
 */
export const refuseUncalculated = (
  found: readonly Uncalculated[],
  { line: headerLine, cells }: TableRow,
  isRead: (column: string) => boolean,
  place: { readonly file: string; readonly sheet: string },
): void => {
  const names = calledColumns(cells);
  const first = found.find(({ line, column }) => {
    const name = names[column - 1];
    return line > headerLine && name !== undefined && isRead(name);
  });
  if (!first) return;
  throw new ExportError(
    'E_EXPORT_ARCHIVE',
    place.file,
    `the cell ${place.sheet}!${first.address} has a formula without a stored result`,
    'Open the workbook in a spreadsheet program, which calculates it, and save it there; or save its sheet as CSV.',
  );
};
