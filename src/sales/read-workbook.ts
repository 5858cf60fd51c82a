import type { Cell, CellValue, ValueType, Workbook, Worksheet } from 'exceljs';
import ssf from 'ssf';
import { fromBufferPromise } from 'yauzl';
import { DAY_MS } from '../kernel/calendar.ts';
import {
  badArchive,
  beyondLimit,
  EXPANSION_MAX,
  ExportError,
  openBytes,
  RECORD_CELLS_MAX,
  SHEET_ROWS_MAX,
  sizeText,
  WORKBOOK_BYTES_MAX,
  WORKBOOK_XML_BYTES_MAX,
  WORKBOOK_XML_FREE_BYTES,
  XML_TAGS_MAX,
} from './file-source.ts';
import type { SurveyedFile } from './survey-file.ts';
import { isBlankRow, type TableRow } from './table-row.ts';

type Sheet = {
  readonly name: string;
  readonly rows: () => Generator<TableRow>;
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
    return sheetsOf(workbook, file.place);
  } catch (error) {
    throw unreadable(file.place, error);
  }
};

const sheetsOf = (workbook: Workbook, name: string): readonly Sheet[] => {
  const sheets = workbook.worksheets;
  if (sheets.length === 0) throw unreadable(name);
  const tall = sheets.find(({ rowCount }) => rowCount > SHEET_ROWS_MAX);
  if (tall) throw beyondLimit(name, `the sheet ${tall.name} has rows beyond ${SHEET_ROWS_MAX}`);
  const visible = sheets.filter(({ state }) => state === 'visible' || state === undefined);
  return visible.map((sheet) => ({
    name: sheet.name,
    rows: () => rowsOf(sheet, name, workbook.properties.date1904 === true),
  }));
};

const LESS = 0x3c;

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

/** Stands for the unknown value of a formula without a stored result, as programs write that do not calculate. */
export const UNCALCULATED = '#N/A (a formula without a stored result)';

function* rowsOf(sheet: Worksheet, name: string, is1904: boolean): Generator<TableRow> {
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
      if (cell?.type === FORMULA && cell.result === undefined) cells.push(UNCALCULATED);
      else cells.push(cell ? textOf(cell, name, is1904) : '');
    }
    if (!isBlankRow(cells)) yield { line, cells };
  }
}

/** @throws {ExportError} when it is too large */
const wholeFile = async (file: SurveyedFile): Promise<Buffer> => {
  if (file.bytes > WORKBOOK_BYTES_MAX) throw tooLarge(file.place, WORKBOOK_BYTES_MAX);
  const pieces: Buffer[] = [];
  for await (const piece of openBytes(file)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
};

/**
 * Check the unpacked size and the number of tags of a workbook by unpacking it: its stated sizes may be false, and tags take
 * more memory than text.
 */
const refuseLargeParts = async (bytes: Buffer, name: string): Promise<void> => {
  let unpacked = 0;
  let tags = 0;
  let hasSheets = false;
  try {
    const archive = await fromBufferPromise(bytes, { autoClose: false });
    archive.on('error', () => {});
    for await (const entry of archive.eachEntry()) {
      hasSheets ||= entry.fileName.startsWith('xl/worksheets/');
      for await (const piece of await archive.openReadStreamPromise(entry)) {
        unpacked += (piece as Buffer).length;
        if (unpacked > WORKBOOK_XML_BYTES_MAX) throw tooLarge(name, WORKBOOK_XML_BYTES_MAX, ' unpacked');
        if (unpacked > WORKBOOK_XML_FREE_BYTES && unpacked > EXPANSION_MAX * bytes.length)
          throw beyondLimit(name, `it unpacks to more than ${EXPANSION_MAX} times its size`);
        for (const byte of piece as Buffer) if (byte === LESS) tags += 1;
        if (tags > XML_TAGS_MAX) throw beyondLimit(name, `its XML has more than ${XML_TAGS_MAX} tags`);
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

/**
 * The text of a cell as shown in the workbook: formatted amounts, the result of a formula, `TRUE` and `FALSE`. If a
 * format hides a part of a number (`3.30E+09`, the cents of a rounded amount, its minus, or its thousands), the number is
 * returned instead. A date is returned with its year first, whatever form the cell shows, so that no one has to guess
 * which of its numbers is the month.
 */
const textOf = (cell: Cell, name: string, is1904: boolean): string => {
  try {
    const isInside = cell.isMerged && cell.master !== cell;
    return isInside ? '' : valueText(contentOf(cell), cell.numFmt, is1904);
  } catch (error) {
    throw unreadable(name, error);
  }
};

/** What a cell has, of a formula its result. `value` of exceljs leaves out results that are 0, false or an empty text. */
const contentOf = (cell: Cell): CellValue | undefined => (cell.type === FORMULA ? cell.result : cell.value);

const FORMULA: ValueType.Formula = 6;

const valueText = (value: CellValue | undefined, format: string | undefined, is1904: boolean): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value, format);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (value instanceof Date) return dateText(value, format, is1904);
  if ('error' in value) return value.error;
  if ('richText' in value) return value.richText.map(({ text }) => text).join('');
  return '';
};

/** Significant digits that a spreadsheet stores. */
const DIGITS_KEPT = 15;

const numberText = (value: number, format = GENERAL): string => {
  if (!Number.isFinite(value)) return '';
  if (isLong(value)) return String(value);
  // Of another number of this size the last digits may be lost, which its exponent shows.
  if (format === GENERAL || Math.abs(value) >= 10 ** DIGITS_KEPT) return plainDigits(value);
  const shown = formatted(format, value);
  if (shown === undefined || /E[+-]/i.test(shown)) return plainDigits(value);
  if (readBack(shown) === kept(value)) return shown;
  if (shown.includes('%')) return `${plainDigits(value * 100)}%`;
  const decimals = /\.([0#?]+)/.exec(format)?.[1]?.length ?? 0;
  // Fewer than two decimals hide the cents of an amount; more of them round it as the workbook does.
  return plainDigits(decimals < 2 ? value : Number(formatted(`0.${'0'.repeat(decimals)}`, value)));
};

const GENERAL = 'General';

/** The number as a spreadsheet stores it. */
const kept = (value: number): number => Number(value.toPrecision(DIGITS_KEPT));

/** Whether a whole number has digits beyond those that a spreadsheet stores, as another program wrote it. */
const isLong = (value: number): boolean => Number.isSafeInteger(value) && kept(value) !== value;

/** All digits of a number, without an exponent as long as the spreadsheet stores all of them. */
const plainDigits = (value: number): string => {
  const stored = kept(value);
  if (Math.abs(stored) >= 10 ** DIGITS_KEPT) return stored.toExponential(5).replace('e', 'E').toUpperCase();
  if (Math.abs(stored) >= 1e-6 || stored === 0) return String(stored);
  return stored.toFixed(DIGITS_KEPT).replace(/0+$/, '');
};

/** The number that a shown text says; `NaN` if it says none. */
const readBack = (shown: string): number => {
  const digits = shown.replace(/[^\d.]/g, '');
  if (digits === '') return Number.NaN;
  const isNegative = /^\(.*\)$|^-/.test(shown);
  return ((isNegative ? -1 : 1) * Number(digits)) / (shown.includes('%') ? 100 : 1);
};

/** Days from the spreadsheet epoch to 1970. */
const DAYS_TO_1970 = 25_569;
const DAYS_TO_1970_SINCE_1904 = 24_107;

/** `yyyy-MM-dd`, with ` HH:mm` or ` HH:mm:ss` if the cell shows a time; a cell with only a time as shown. */
const dateText = (value: Date, format: string | undefined, is1904: boolean): string => {
  const serial = value.getTime() / DAY_MS + (is1904 ? DAYS_TO_1970_SINCE_1904 : DAYS_TO_1970);
  const known = format === undefined || format === GENERAL ? DATE_AND_TIME : format;
  // exceljs takes some formats of numbers for those of dates.
  if (!ssf.is_date(known)) return numberText(serial, known);
  const letters = known.replace(/\[[^\]]*\]|"[^"]*"|[\\_]./g, '');
  if (!/[yd]/i.test(letters)) return formatted(known, serial, is1904) ?? value.toISOString();
  const [day = '', precise = ''] = value.toISOString().split('T');
  if (!/[hs]/i.test(letters)) return day;
  // As the cell shows it, since the instant tells parts of a sale apart and stays that of earlier exports.
  const seconds = /s+(\.0+)?/i.exec(letters);
  const time = formatted(seconds ? `hh:mm:ss${seconds[1] ?? ''}` : 'hh:mm', serial, is1904) ?? precise;
  // Rounding must not reach the next day, which could be the next month.
  return `${day} ${time.startsWith('24') ? precise.slice(0, time.length) : time}`;
};

const DATE_AND_TIME = 'yyyy-mm-dd hh:mm:ss';

const formatted = (format: string, value: number, is1904 = false): string | undefined => {
  try {
    return ssf.format(format, value, { date1904: is1904 }).trim();
  } catch {
    // An invalid format; only the number can be shown.
    return undefined;
  }
};
