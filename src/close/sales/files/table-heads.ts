import { ExportError } from '../export-error.ts';
import { delimitedRows } from './delimited-rows.ts';
import { readWorkbook } from './read-workbook.ts';
import type { SurveyedFile } from './survey-file.ts';
import { isBlankRow, type PlacedRow, type TableRow } from './table-row.ts';
import { utf8Pieces, withoutFirst } from './utf8-pieces.ts';

/** The first rows of a file in one way of reading it, and how all rows from one of them on are read in that way. */
export type TableHead = {
  /** Of delimited text. */
  readonly delimiter?: string;
  /** Of a workbook. */
  readonly sheet?: string;
  readonly rows: readonly TableRow[];
  /** The rows from one of `rows` on, several at a time. */
  readonly from: (row: TableRow) => AsyncIterable<readonly TableRow[]>;
};

/** Lines among which a header may be looked for at all; a profile may want fewer. */
const HEAD_LINES_MAX = 100;

/** Every way of reading a file: by each delimiter, or by each sheet. */
export const tableHeads = async (
  file: SurveyedFile,
  delimiters: readonly string[],
): Promise<readonly TableHead[]> => {
  if (file.form.kind === 'workbook') {
    const sheets = await readWorkbook(file);
    return sheets.map((sheet) => ({
      sheet: sheet.name,
      rows: firstOf(sheet.rows()),
      from: (first) => inOne(sheet.rows(), first.line),
    }));
  }
  return Promise.all(delimiters.map((delimiter) => delimitedHead(file, delimiter)));
};

const firstOf = (rows: Iterable<TableRow>): readonly TableRow[] => {
  const first: TableRow[] = [];
  for (const row of rows) {
    if (row.line > HEAD_LINES_MAX) break;
    first.push(row);
  }
  return first;
};

async function* inOne(rows: Iterable<TableRow>, from: number): AsyncGenerator<readonly TableRow[]> {
  const all = [...rows].filter(({ line }) => line >= from);
  const width = all[0]?.cells.length ?? 0;
  // A sheet keeps no cells behind the last filled one of a row.
  yield all.map((row) => ({
    line: row.line,
    cells: [...row.cells, ...Array(Math.max(0, width - row.cells.length)).fill('')],
  }));
}

const delimitedHead = async (file: SurveyedFile, delimiter: string): Promise<TableHead> => {
  const rows = await firstRows(file, delimiter);
  const from = (row: TableRow): AsyncIterable<readonly TableRow[]> => {
    const offset = rows.find(({ line }) => line === row.line)?.offset ?? 0;
    return rowsFrom(file, delimiter, { line: row.line, offset });
  };
  return { delimiter, rows, from };
};

type Start = { readonly line: number; readonly offset: number };

const rowsFrom = (
  file: SurveyedFile,
  delimiter: string,
  { line, offset }: Start,
): AsyncIterable<readonly PlacedRow[]> =>
  delimitedRows({
    name: file.place,
    pieces: withoutFirst(utf8Pieces(file), offset),
    delimiter,
    hasCarriageReturns: file.form.kind === 'text' && file.form.hasCarriageReturns,
    line,
    offset,
  });

/**
 * The rows among which the header is. The lines before it are prose and may have quotes anywhere: behind a record
 * that cannot be read the search goes on with the next line.
 */
const firstRows = async (file: SurveyedFile, delimiter: string): Promise<readonly PlacedRow[]> => {
  const found: PlacedRow[] = [];
  let start: Start | undefined = { line: 1, offset: 0 };
  while (start !== undefined && start.line <= HEAD_LINES_MAX)
    start = await readOn(file, delimiter, start, found);
  return found;
};

/** Read until enough rows are found; gives the line behind the record that stopped it. */
const readOn = async (
  file: SurveyedFile,
  delimiter: string,
  start: Start,
  found: PlacedRow[],
): Promise<Start | undefined> => {
  try {
    for await (const rows of rowsFrom(file, delimiter, start)) {
      for (const row of rows) {
        if (row.line > HEAD_LINES_MAX) return undefined;
        if (!isBlankRow(row.cells)) found.push(row);
      }
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof ExportError) || error.code !== 'E_EXPORT_DAMAGED') throw error;
    return lineBehind(file, Number(error.details['line']));
  }
};

const LINE_FEED = 0x0a;

const lineBehind = async (file: SurveyedFile, line: number): Promise<Start | undefined> => {
  let ends = 0;
  let before = 0;
  for await (const piece of utf8Pieces(file)) {
    for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, at + 1)) {
      ends += 1;
      if (ends === line) return { line: line + 1, offset: before + at + 1 };
    }
    before += piece.length;
  }
  return undefined;
};
