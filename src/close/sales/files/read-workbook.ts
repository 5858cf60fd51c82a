import type { Workbook, Worksheet } from 'exceljs';
import { fromBufferPromise } from 'yauzl';
import { ExportError } from '../export-error.ts';
import { cellText } from './cell-text.ts';
import { badArchive, beyondLimit } from './file-errors.ts';
import {
  RECORD_CELLS_MAX,
  SHEETS_MAX,
  sizeText,
  WORKBOOK_BYTES_MAX,
  WORKBOOK_XML_BYTES_MAX,
} from './limits.ts';
import { openBytes } from './open-bytes.ts';
import type { SurveyedFile } from './survey-file.ts';
import { isBlankRow, type TableRow } from './table-row.ts';

export type Sheet = { readonly name: string; readonly rows: () => Generator<TableRow> };

/**
 * The visible sheets of an XLSX workbook, in their order.
 *
 * @throws {ExportError} when it is damaged, or larger than can be read as a whole
 */
export const readWorkbook = async (file: SurveyedFile): Promise<readonly Sheet[]> => {
  const bytes = await wholeFile(file);
  await refuseLargeParts(bytes, file.place);
  // Loaded only for a workbook: it costs every other command a noticeable wait.
  const { default: ExcelWorkbook } = await import('exceljs/lib/doc/workbook.js');
  const workbook = new ExcelWorkbook();
  try {
    await workbook.xlsx.load(bytes as unknown as ArrayBuffer, { ignoreNodes: NOT_READ });
  } catch (error) {
    throw unreadable(file.place, error);
  }
  if (workbook.worksheets.length > SHEETS_MAX)
    throw beyondLimit(file.place, `it has more than ${SHEETS_MAX} sheets`);
  return workbook.worksheets
    .filter(({ state }) => state === 'visible' || state === undefined)
    .map((sheet) => ({ name: sheet.name, rows: () => rowsOf(sheet, file.place, is1904(workbook)) }));
};

/** Parts of a sheet that say nothing about the cells. */
const NOT_READ = [
  'autoFilter',
  'conditionalFormatting',
  'dataValidations',
  'drawing',
  'extLst',
  'headerFooter',
  'hyperlinks',
  'legacyDrawing',
  'picture',
  'tableParts',
];

const is1904 = (workbook: Workbook): boolean => workbook.properties.date1904 === true;

function* rowsOf(sheet: Worksheet, name: string, sinceYear1904: boolean): Generator<TableRow> {
  for (let line = 1; line <= sheet.rowCount; line += 1) {
    const row = sheet.findRow(line);
    if (!row) continue;
    if (row.cellCount > RECORD_CELLS_MAX)
      throw beyondLimit(
        name,
        `row ${line} of the sheet ${sheet.name} has more than ${RECORD_CELLS_MAX} cells`,
      );
    const cells: string[] = [];
    for (let column = 1; column <= row.cellCount; column += 1) {
      const cell = row.findCell(column);
      cells.push(cell ? cellText(cell, sinceYear1904) : '');
    }
    if (!isBlankRow(cells)) yield { line, cells };
  }
}

const wholeFile = async (file: SurveyedFile): Promise<Buffer> => {
  if (file.bytes > WORKBOOK_BYTES_MAX) throw tooLarge(file.place, WORKBOOK_BYTES_MAX);
  const pieces: Buffer[] = [];
  for await (const piece of openBytes(file)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
};

/** What a workbook comes to is known only by unpacking it: the sizes it states may be lies. */
const refuseLargeParts = async (bytes: Buffer, name: string): Promise<void> => {
  let unpacked = 0;
  let hasSheets = false;
  try {
    const archive = await fromBufferPromise(bytes, { autoClose: false });
    archive.on('error', () => {});
    for await (const entry of archive.eachEntry()) {
      hasSheets ||= entry.fileName.startsWith('xl/worksheets/');
      for await (const piece of await archive.openReadStreamPromise(entry)) {
        unpacked += (piece as Buffer).length;
        if (unpacked > WORKBOOK_XML_BYTES_MAX) throw tooLarge(name, WORKBOOK_XML_BYTES_MAX, ' unpacked');
      }
    }
  } catch (error) {
    throw unreadable(name, error);
  }
  if (!hasSheets) throw badArchive(name, 'it is an archive inside an archive, or a workbook without sheets');
};

const tooLarge = (name: string, limit: number, how = ''): ExportError =>
  new ExportError(
    'E_EXPORT_LIMIT',
    name,
    `the workbook is larger than ${sizeText(limit)}${how}`,
    'Save its sheet as CSV, which is read at any size.',
  );

const unreadable = (name: string, error: unknown): unknown =>
  error instanceof ExportError
    ? error
    : new ExportError(
        'E_EXPORT_ARCHIVE',
        name,
        `the workbook cannot be read (${(error as Error).message.split('\n')[0]})`,
        'Open it in a spreadsheet program and save it again, or save its sheet as CSV.',
        error,
      );
