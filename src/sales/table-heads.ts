import { oncePer } from '../kernel/once.ts';
import { ExportError, notText, openBytes } from './file-source.ts';
import { dayForms } from './read-date.ts';
import { readWorkbook, UNCALCULATED } from './read-workbook.ts';
import { scanRecords } from './scan-records.ts';
import { ENCODING_NAMES, type SurveyedFile } from './survey-file.ts';
import { normalColumn, rowByRow, type TableRow } from './table-row.ts';

/** The first rows of a file by one delimiter or of one sheet, and a function that reads its rows in the same way. */
export type TableHead = {
  /** Set for a workbook. */
  readonly sheet?: string;
  readonly rows: readonly TableRow[];
  /** Reads from one of `rows` on, in batches. */
  readonly from: (row: TableRow) => AsyncIterable<readonly TableRow[]>;
};

/** What may stand between the cells of a text. */
const DELIMITERS = [',', '\t', ';', '|'];

/** Number of lines searched for a header. */
export const HEAD_LINES_MAX = 30;

/** All ways of reading a file: one for each delimiter, or for each sheet. */
export const tableHeads = async (file: SurveyedFile): Promise<readonly TableHead[]> => {
  if (file.form.kind === 'workbook') {
    const sheets = await sheetsOf(file);
    return sheets.map((sheet) => ({
      sheet: sheet.name,
      rows: firstOf(sheet.rows()),
      from: (first) => inOne(file, sheet, first),
    }));
  }
  return Promise.all(
    DELIMITERS.map(async (delimiter) => ({
      rows: await firstRows(file, delimiter),
      from: ({ line }: TableRow) => rowsFrom(file, delimiter, line),
    })),
  );
};

type Sheet = Awaited<ReturnType<typeof readWorkbook>>[number];

/** Reads a workbook once, however many columns and profiles are then looked for in it. */
const sheetsOf = oncePer(readWorkbook);

const firstOf = (rows: Iterable<TableRow>): readonly TableRow[] => {
  const first: TableRow[] = [];
  for (const row of rows) {
    if (row.line > HEAD_LINES_MAX) break;
    first.push(row);
  }
  return first;
};

async function* inOne(
  file: SurveyedFile,
  sheet: Sheet,
  header: TableRow,
): AsyncGenerator<readonly TableRow[]> {
  const width = header.cells.length;
  const all = [...sheet.rows()]
    .filter(({ line }) => line >= header.line)
    .map(({ line, cells }) => ({ line, cells: inWidth(cells, width) }));
  const unknown = all.find(({ cells }) => cells.includes(UNCALCULATED));
  // What stands above the table, or in another sheet, is not read.
  if (unknown)
    throw new ExportError(
      'E_EXPORT_ARCHIVE',
      file.place,
      `row ${unknown.line} of the sheet ${sheet.name} has a formula without a stored result`,
      'Open the workbook in a spreadsheet program, which calculates it, and save it there; or save its sheet as CSV.',
    );
  yield all;
}

/** A sheet stores no cells after the last filled one of a row, and blank ones that have only a colour. */
const inWidth = (cells: readonly string[], width: number): readonly string[] => {
  const isBlankBeyond = cells.slice(width).every((cell) => cell.trim() === '');
  const kept = isBlankBeyond ? cells.slice(0, width) : cells;
  return [...kept, ...Array<string>(Math.max(0, width - kept.length)).fill('')];
};

const rowsFrom = (
  file: SurveyedFile,
  delimiter: string,
  firstLine: number,
): AsyncIterable<readonly TableRow[]> =>
  scanRecords(utf8Pieces(file), { name: file.place, delimiter, firstLine });

/**
 * Read the rows that may be the header. Lines before the header are prose and may have quotes anywhere, so after an
 * unreadable record the search continues on the next line.
 */
const firstRows = async (file: SurveyedFile, delimiter: string): Promise<readonly TableRow[]> => {
  const found: TableRow[] = [];
  for (let line = 1; line <= HEAD_LINES_MAX; ) {
    try {
      for await (const rows of rowsFrom(file, delimiter, line)) {
        found.push(...rows.filter((row) => row.line <= HEAD_LINES_MAX));
        if (rows.some((row) => row.line > HEAD_LINES_MAX)) break;
      }
      return found;
    } catch (error) {
      if (!(error instanceof ExportError) || error.code !== 'E_EXPORT_DAMAGED') throw error;
      line = Number(error.details['line']) + 1;
    }
  }
  return found;
};

/** Read the text of a file as UTF-8 in pieces, each valid only until the next is requested. */
export async function* utf8Pieces(file: SurveyedFile): AsyncGenerator<Buffer> {
  if (file.form.kind !== 'text') throw notText(file.place, 'it is a workbook');
  const { encoding } = file.form;
  // `surveyFile` has already checked that it is valid.
  if (encoding === 'utf-8') return yield* openBytes(file);
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  try {
    for await (const bytes of openBytes(file)) yield Buffer.from(decoder.decode(bytes, { stream: true }));
    yield Buffer.from(decoder.decode());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const rule = `it begins as ${ENCODING_NAMES[encoding]} text and goes on as something else`;
    throw notText(file.place, rule, error);
  }
}

/** A row that people fill in, by column, with trimmed cells. */
export type TitledRow<Column extends string> = Readonly<Record<Column, string>> & {
  readonly line: number;
  /** A cell without a title above it; empty if every cell has one. */
  readonly surplus: string;
  readonly titleOf: (column: Column) => string;
  /** Where a cell is, in a form for people. */
  readonly placeOf: (column: Column) => string;
};

/** Returns columns that are named by their titles, in small letters. */
export const titledBy = <Column extends string>(columns: readonly Column[]) =>
  Object.fromEntries(columns.map((column) => [column, [column]])) as Record<Column, [Column]>;

/**
 * Reads the non-blank rows of a file with known columns, also where a spreadsheet has saved it as a workbook.
 *
 * @param named the titles that mean each column; capitals, blanks and signs do not count
 * @returns `undefined` if no row of the file has the columns that are needed, or two of its titles mean one column
 */
export const titledRows = async <Column extends string>(
  file: SurveyedFile,
  named: Readonly<Record<Column, readonly string[]>>,
  needed: readonly Column[],
): Promise<readonly TitledRow<Column>[] | undefined> => {
  const heads = await tableHeads(file);
  // The row that has most of the columns, those that are needed before others.
  const [best] = heads
    .flatMap((head) => head.rows.map((titles) => ({ head, titles, ...columnsIn(titles, named, needed) })))
    .sort((left, right) => left.missing - right.missing || right.known - left.known);
  if (!best || best.missing > 0 || best.isTwice) return undefined;
  const { head, titles, places } = best;
  const columns = Object.keys(named) as Column[];
  const titleOf = (column: Column): string => titles.cells[places[column]]?.trim() ?? column;
  const rows: TitledRow<Column>[] = [];
  for await (const { line, cells } of rowByRow(head.from(titles))) {
    if (line <= titles.line) continue;
    const cellOf = (column: Column): string =>
      (cells[places[column]] ?? '').trim().replace(/^'(?=[=+\-@])/, '');
    const texts = Object.fromEntries(columns.map((column) => [column, cellOf(column)]));
    if (columns.every((column) => texts[column] === '')) continue;
    rows.push({
      ...(texts as Record<Column, string>),
      line,
      surplus: cells.slice(titles.cells.length).find((cell) => cell.trim() !== '') ?? '',
      titleOf,
      placeOf: (column) => `${file.name}:${line}, column "${titleOf(column)}"`,
    });
  }
  return rows;
};

/**
 * Finds columns by titles: the place of each, -1 where it is missing; how many are missing of those that are needed, and
 * how many are known; and whether several titles mean one column.
 */
const columnsIn = <Column extends string>(
  { cells }: TableRow,
  named: Readonly<Record<Column, readonly string[]>>,
  needed: readonly Column[],
) => {
  const titles = cells.map(plainTitle);
  const found = Object.entries<readonly string[]>(named).map(([column, texts]) => {
    const known = texts.map(plainTitle);
    return { column, at: titles.flatMap((title, index) => (known.includes(title) ? [index] : [])) };
  });
  const places = Object.fromEntries(found.map(({ column, at: [first = -1] }) => [column, first]));
  return {
    places: places as Record<Column, number>,
    missing: needed.filter((column) => places[column] === -1).length,
    known: found.filter(({ at }) => at.length > 0).length,
    isTwice: found.some(({ at }) => at.length > 1),
  };
};

const plainTitle = (cell: string): string => normalColumn(cell).replace(/[^a-z0-9]/g, '');

/** Read a date from a cell; `undefined` if invalid. With slashes the month comes first, unless that is impossible. */
export const readDay = dayForms([
  'yyyy-MM-dd',
  'yyyy/MM/dd',
  'M/d/yyyy',
  'M/d/yy',
  'd/M/yyyy',
  'd.M.yyyy',
  'd.M.yy',
  'd-MMM-yyyy',
  'd-MMM-yy',
  'd MMM yyyy',
  'd MMMM yyyy',
  'MMM d, yyyy',
  'MMMM d, yyyy',
  'yyyy-MM-dd HH:mm(:ss)',
]);
