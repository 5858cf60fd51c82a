import type { Cell, ValueType, Workbook, Worksheet } from 'exceljs';
import { fromBufferPromise } from 'yauzl';
import { type XmlShape, xmlMeter } from '../../../kernel/xml-shape.ts';
import { ExportError } from '../export-error.ts';
import { cellText } from './cell-text.ts';
import { badArchive, beyondLimit } from './file-errors.ts';
import { refuseUncalculated, uncalculatedIn } from './formula-results.ts';
import {
  EXPANSION_MAX,
  RECORD_CELLS_MAX,
  SHEET_ROWS_MAX,
  SHEETS_MAX,
  sizeText,
  WORKBOOK_BYTES_MAX,
  WORKBOOK_XML_BYTES_MAX,
  WORKBOOK_XML_FREE_BYTES,
  XML_ATTRIBUTES_MAX,
  XML_DEPTH_MAX,
  XML_ELEMENTS_MAX,
} from './limits.ts';
import { openBytes } from './open-bytes.ts';
import type { SurveyedFile } from './survey-file.ts';
import { isBlankRow, type TableRow } from './table-row.ts';

type Sheet = {
  readonly name: string;
  readonly rows: () => Generator<TableRow>;
  /** Refuses the sheet if a value below this header is not known, in a column that is read. */
  readonly refuseUnknown: (header: TableRow, isRead: (column: string) => boolean) => void;
};

/**
 * Read the visible sheets of an XLSX workbook, in order.
 *
 * @throws {ExportError} when it is damaged, or too large to read as a whole
 */
export const readWorkbook = async (file: SurveyedFile): Promise<readonly Sheet[]> => {
  const bytes = await wholeFile(file);
  await refuseLargeParts(bytes, file.place);
  // Loaded only for workbooks, since it would noticeably delay every other command.
  const { default: ExcelWorkbook } = await import('exceljs/lib/doc/workbook.js');
  const workbook = new ExcelWorkbook();
  try {
    await workbook.xlsx.load(bytes as unknown as ArrayBuffer, { ignoreNodes: NOT_READ });
    return await sheetsOf(workbook, file.place, bytes);
  } catch (error) {
    throw unreadable(file.place, error);
  }
};

const sheetsOf = async (workbook: Workbook, name: string, bytes: Buffer): Promise<readonly Sheet[]> => {
  const sheets = workbook.worksheets;
  if (sheets.length === 0) throw unreadable(name);
  if (sheets.length > SHEETS_MAX) throw beyondLimit(name, `it has more than ${SHEETS_MAX} sheets`);
  const tall = sheets.find(({ rowCount }) => rowCount > SHEET_ROWS_MAX);
  if (tall) throw beyondLimit(name, `the sheet ${tall.name} has rows beyond ${SHEET_ROWS_MAX}`);
  const visible = sheets.filter(({ state }) => state === 'visible' || state === undefined);
  const uncalculated = await uncalculatedIn(visible, bytes);
  return visible.map((sheet) => ({
    name: sheet.name,
    rows: () => rowsOf(sheet, name, is1904(workbook)),
    refuseUnknown: (header, isRead) =>
      refuseUncalculated(uncalculated.get(sheet) ?? [], header, isRead, { file: name, sheet: sheet.name }),
  }));
};

/** Parts of a sheet that do not affect its cells. */
const NOT_READ = [
  'autoFilter',
  'conditionalFormatting',
  'dataValidations',
  'drawing',
  'extLst',
  'headerFooter',
  'hyperlinks',
  'legacyDrawing',
  // Merging makes every cell of the range, of which there may be billions; only the first one has a value.
  'mergeCells',
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
      if (cell && hasLostText(cell)) throw withoutTexts(name, `${sheet.name}!${cell.address}`);
      cells.push(cell ? textOf(cell, name, sinceYear1904) : '');
    }
    if (!isBlankRow(cells)) yield { line, cells };
  }
}

/**
 * Whether a cell has lost its text. SpreadsheetML stores texts in a separate part and their indexes in the cells: if
 * the part is missing, only the number remains.
 */
const hasLostText = ({ type, value }: Cell): boolean => type === TEXT && typeof value === 'number';

const TEXT: ValueType.String = 3;

const withoutTexts = (name: string, cell: string): ExportError =>
  new ExportError(
    'E_EXPORT_ARCHIVE',
    name,
    `the cell ${cell} has the number of a text, and the part of the workbook that holds its texts is missing`,
    'Export the workbook again, or save its sheet as CSV where it was made.',
  );

const textOf = (cell: Cell, name: string, sinceYear1904: boolean): string => {
  try {
    return cellText(cell, sinceYear1904);
  } catch (error) {
    throw unreadable(name, error);
  }
};

const wholeFile = async (file: SurveyedFile): Promise<Buffer> => {
  if (file.bytes > WORKBOOK_BYTES_MAX) throw tooLarge(file.place, WORKBOOK_BYTES_MAX);
  const pieces: Buffer[] = [];
  for await (const piece of openBytes(file)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
};

/**
 * Check the unpacked size and the XML shape of a workbook by unpacking it: its stated sizes may be false, and tags take
 * more memory than text.
 */
const refuseLargeParts = async (bytes: Buffer, name: string): Promise<void> => {
  let unpacked = 0;
  let elements = 0;
  let hasSheets = false;
  try {
    const archive = await fromBufferPromise(bytes, { autoClose: false });
    archive.on('error', () => {});
    for await (const entry of archive.eachEntry()) {
      hasSheets ||= entry.fileName.startsWith('xl/worksheets/');
      const { add, shape } = xmlMeter();
      for await (const piece of await archive.openReadStreamPromise(entry)) {
        unpacked += (piece as Buffer).length;
        if (unpacked > WORKBOOK_XML_BYTES_MAX) throw tooLarge(name, WORKBOOK_XML_BYTES_MAX, ' unpacked');
        if (unpacked > WORKBOOK_XML_FREE_BYTES && unpacked > EXPANSION_MAX * bytes.length)
          throw beyondLimit(name, `it unpacks to more than ${EXPANSION_MAX} times its size`);
        add(piece as Buffer);
        refuseShape(shape, name, elements);
      }
      elements += shape.elements;
    }
  } catch (error) {
    throw unreadable(name, error);
  }
  if (!hasSheets) throw badArchive(name, 'it is an archive inside an archive, or a workbook without sheets');
};

const refuseShape = ({ depthMax, attributesMax, elements }: XmlShape, name: string, before: number): void => {
  if (depthMax > XML_DEPTH_MAX) throw beyondLimit(name, `its XML is nested more than ${XML_DEPTH_MAX} deep`);
  if (attributesMax > XML_ATTRIBUTES_MAX)
    throw beyondLimit(name, `an element of its XML has more than ${XML_ATTRIBUTES_MAX} attributes`);
  if (before + elements > XML_ELEMENTS_MAX)
    throw beyondLimit(name, `its XML has more than ${XML_ELEMENTS_MAX} elements`);
};

const tooLarge = (name: string, limit: number, how = ''): ExportError =>
  new ExportError(
    'E_EXPORT_LIMIT',
    name,
    `the workbook is larger than ${sizeText(limit)}${how}`,
    'Save its sheet as CSV, which is read at any size.',
  );

const unreadable = (name: string, error?: unknown): unknown =>
  error instanceof ExportError
    ? error
    : new ExportError(
        'E_EXPORT_ARCHIVE',
        name,
        'the workbook cannot be read: it is damaged, or parts of it are missing',
        'Open it in a spreadsheet program and save it again, or save its sheet as CSV.',
        error,
      );
