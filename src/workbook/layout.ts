import { DefectError } from '../kernel/errors.ts';
import { textsIn } from '../kernel/text.ts';
import { shownValue } from './cell.ts';
import { ruleOf } from './format.ts';
import type { Column, FilledSheet, SheetTables } from './sheet.ts';
import { textLines } from './text.ts';

/** Maximum number of rows of a sheet in Excel's file format. */
const SHEET_ROWS_MAX = 1_048_576;

const NOTE_WIDTH_MIN = 60;
const NOTE_WIDTH_MAX = 130;

/** A table of a sheet, and the positions of everything in it. Rows count from 1. */
export type PlacedTable = {
  readonly source: FilledSheet;
  readonly sheetName: string;
  readonly fits: readonly ColumnFit[];
  /** Row of the title. */
  readonly titleRow: number;
  readonly notes: readonly string[];
  readonly headerRow: number;
  readonly firstRow: number;
  /** A table has at least one row, even if it is blank. */
  readonly lastRow: number;
  readonly totalRow: number | undefined;
};

/** Blank rows between two tables of a sheet. */
const ROWS_BETWEEN = 2;

/** Places the tables of a sheet, from top to bottom. */
export const placeTables = (tables: SheetTables): readonly PlacedTable[] => {
  let room: readonly number[] = [];
  for (const table of tables) {
    const widths = fitColumns(table, room).map(({ width }) => width);
    room = Array.from({ length: Math.max(room.length, widths.length) }, (_, index) =>
      Math.max(room[index] ?? 0, widths[index] ?? 0),
    );
  }
  let titleRow = 1;
  return tables.map((table) => {
    const placed = placeAt(titleRow, table, tables[0].sheet.name, fitColumns(table, room));
    titleRow = (placed.totalRow ?? placed.lastRow) + ROWS_BETWEEN + 1;
    return placed;
  });
};

/** @throws {DefectError} for more rows than a sheet has. */
const placeAt = (
  titleRow: number,
  source: FilledSheet,
  sheetName: string,
  fits: readonly ColumnFit[],
): PlacedTable => {
  const { sheet, count } = source;
  const notes = notesOf(
    source,
    fits.reduce((sum, { width }) => sum + width, 0),
  );
  // A blank row precedes the header.
  const headerRow = titleRow + notes.length + 2;
  const lastRow = headerRow + Math.max(1, count);
  if (lastRow >= SHEET_ROWS_MAX)
    throw new DefectError(`${sheet.name} has too many rows for a sheet: ${count}`);
  return {
    source,
    sheetName,
    fits,
    titleRow,
    notes,
    headerRow,
    firstRow: headerRow + 1,
    lastRow,
    totalRow: sheet.columns.some(({ total }) => total !== undefined) ? lastRow + 1 : undefined,
  };
};

const notesOf = ({ sheet, count }: FilledSheet, width: number): readonly string[] =>
  textsIn([sheet.note, count === 0 && sheet.empty]).flatMap((text) => textLines(text, clampWidth(width)));

const clampWidth = (width: number): number => Math.min(NOTE_WIDTH_MAX, Math.max(NOTE_WIDTH_MIN, width));

/** Space for a flag's sign and the cell's own margins, in characters. */
const CELL_MARGIN = 2;
const WIDTH_MAX = 110;
/** Space that the bold type adds to a title; the filter button has a line of its own below it. */
export const TITLE_MARGIN = 2.2;

export type ColumnFit = {
  /** Width in characters. */
  readonly width: number;
  readonly wrap: boolean;
};

/**
 * Computes the width of each column. Figures are never cut off: their columns grow to fit the longest figure and the
 * total. Text columns keep their defined width and wrap, as do all columns of streamed rows, which are not known yet.
 *
 * @param room Widths of the tables above on the same sheet, which text columns keep to
 */
export const fitColumns = (filled: FilledSheet, room: readonly number[]): ColumnFit[] => {
  return filled.sheet.columns.map((column, index) => {
    const longest = measure(column, filled.rows);
    const figures = Math.max(longest.figures, leastWidth(column));
    const given = room[index];
    const asked = given !== undefined && isProse(column.format) ? given : column.width;
    const width = Math.max(given ?? 0, Math.min(WIDTH_MAX, Math.max(asked, figures)));
    return { width, wrap: column.wrap ?? longest.text > width };
  });
};

/** The smallest width at which no word of the title is broken. */
const leastWidth = ({ title }: Column<unknown>): number =>
  Math.max(...title.split(' ').map(({ length }) => length)) + TITLE_MARGIN;

const isProse = (format: string): boolean => format === 'text';

/** Measures the longest text and the longest figure of a column, of which its total is one. */
const measure = (column: Column<unknown>, rows: FilledSheet['rows'] = []) => {
  const lengthOf = (value: unknown): number => ruleOf(column.format).show(value).length;
  const values = rows.map((row) => shownValue(column.value(row))).filter((value) => value !== undefined);
  const total = column.total && values.reduce<number>((sum, value) => sum + Number(value), 0);
  const longest = [...values, ...(total === undefined ? [] : [total])].reduce<number>(
    (most, value) => Math.max(most, lengthOf(value)),
    0,
  );
  return isProse(column.format) ? { text: longest, figures: 0 } : { text: 0, figures: longest + CELL_MARGIN };
};
