import { DefectError } from '../kernel/errors.ts';
import { shownValue, type TableShape } from './cell.ts';
import { ruleOf } from './format.ts';
import type { Column, FilledSheet, Grid, GridRow, LaidOutSheet } from './sheet.ts';
import { columnLetter, quotedSheetName, textLines } from './text.ts';

/** Maximum number of rows of a sheet in Excel's file format. */
const SHEET_ROWS_MAX = 1_048_576;

const NOTE_WIDTH_MIN = 60;
const NOTE_WIDTH_MAX = 130;

/** A table of a sheet, and the positions of everything in it. Rows count from 1. */
export type PlacedTable = {
  readonly kind: 'table';
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
  /** Further tables on the sheet, below this one. */
  readonly below: readonly PlacedTable[];
};

export type PlacedSheet = PlacedTable | PlacedLaidOut;

/** Returns the tables of a sheet, from top to bottom. */
export const tablesOn = (sheet: PlacedSheet): readonly PlacedTable[] =>
  sheet.kind === 'table' ? [sheet, ...sheet.below] : [];

/** Blank rows between two tables of a sheet. */
const ROWS_BETWEEN = 2;

/** Places a table with the tables stacked below it. */
export const placeTable = (source: FilledSheet): PlacedTable => {
  const { below = [] } = source;
  let room: readonly number[] = [];
  for (const table of [source, ...below]) {
    const widths = fitColumns(table, room).map(({ width }) => width);
    room = Array.from({ length: Math.max(room.length, widths.length) }, (_, index) =>
      Math.max(room[index] ?? 0, widths[index] ?? 0),
    );
  }
  let last = placeAt(1, source, source.sheet.name, fitColumns(source, room));
  const first = last;
  const further = below.map((table) => {
    const titleRow = (last.totalRow ?? last.lastRow) + ROWS_BETWEEN + 1;
    last = placeAt(titleRow, table, source.sheet.name, fitColumns(table, room));
    return last;
  });
  return { ...first, below: further };
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
    kind: 'table',
    source,
    sheetName,
    fits,
    titleRow,
    notes,
    headerRow,
    firstRow: headerRow + 1,
    lastRow,
    totalRow: sheet.columns.some(({ total }) => total !== undefined) ? lastRow + 1 : undefined,
    below: [],
  };
};

const notesOf = (source: FilledSheet, width: number): string[] => {
  const { note, name, empty = `There are no rows for "${name}" in this period.` } = source.sheet;
  const notes = note === undefined ? [] : textLines(note, clampWidth(width));
  if (source.count === 0) notes.push(...textLines(empty, clampWidth(width)));
  return notes;
};

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
export const fitColumns = (filled: FilledSheet, room: readonly number[] = []): ColumnFit[] => {
  const longest = measure(filled);
  return filled.sheet.columns.map((column, index) => {
    const figures = Math.max(longest[index]?.figures ?? 0, leastWidth(column));
    const given = room[index];
    const asked = given !== undefined && isProse(column.format) ? given : column.width;
    const width = Math.max(given ?? 0, Math.min(WIDTH_MAX, Math.max(asked, figures)));
    return { width, wrap: column.wrap ?? (longest[index]?.text ?? 0) > width };
  });
};

/** The smallest width at which no word of the title is broken. */
const leastWidth = ({ title }: Column<unknown>): number =>
  Math.max(...title.split(' ').map(({ length }) => length)) + TITLE_MARGIN;

const isProse = (format: string): boolean => format === 'text';

type Longest = { figures: number; text: number; sum: number };

const measure = ({ sheet, rows = [] }: FilledSheet): Longest[] => {
  const longest = sheet.columns.map(() => ({ figures: 0, text: 0, sum: 0 }));
  for (const row of rows) {
    sheet.columns.forEach((column, index) => {
      const seen = longest[index];
      const value = shownValue(column.value(row));
      if (!seen || value === undefined) return;
      const { length } = ruleOf(column.format).show(value);
      if (isProse(column.format)) seen.text = Math.max(seen.text, length);
      else seen.figures = Math.max(seen.figures, length + CELL_MARGIN);
      if (column.total === 'sum') seen.sum += Number(value);
    });
  }
  sheet.columns.forEach((column, index) => {
    const seen = longest[index];
    if (!seen || column.total !== 'sum') return;
    seen.figures = Math.max(seen.figures, ruleOf(column.format).show(seen.sum).length + CELL_MARGIN);
  });
  return longest;
};

/** A plain table with the positions of its rows; rows count from 1. */
export type PlacedGrid = {
  readonly grid: Grid;
  readonly headingRow: number | undefined;
  readonly headerRow: number | undefined;
  readonly firstRow: number;
  /** A table has at least one row, even if it is blank. */
  readonly lastRow: number;
  /** Its rows and totals with their row numbers. */
  readonly rows: readonly (readonly [rowNumber: number, row: GridRow])[];
};

export type PlacedLaidOut = {
  readonly kind: 'laid-out';
  readonly source: LaidOutSheet;
  readonly sheetName: string;
  readonly cardsRow: number | undefined;
  /** The text between cards and tables, in lines as wide as the sheet, and the row of the first. */
  readonly lead: { readonly row: number; readonly lines: readonly string[] } | undefined;
  readonly grids: readonly PlacedGrid[];
  readonly remarksRow: number;
};

const BLANK: GridRow = { cells: [] };

/** Places the title and subtitle, a blank row, the cards, the line below them, and the tables, a blank row apart. */
export const placeLaidOut = (source: LaidOutSheet): PlacedLaidOut => {
  const cardsRow = source.cards.length > 0 ? 4 : undefined;
  let row = cardsRow === undefined ? 4 : 8;
  const width = source.widths.reduce((sum, each) => sum + each, 0);
  const lead = source.lead === undefined ? undefined : { row: row - 1, lines: textLines(source.lead, width) };
  row += Math.max(0, (lead?.lines.length ?? 0) - 1);
  const grids = source.grids.map((grid): PlacedGrid => {
    const headingRow = grid.heading === undefined ? undefined : row++;
    const headerRow = grid.hasHeader ? row++ : undefined;
    const firstRow = row;
    const rows = [...(grid.rows.length > 0 ? grid.rows : [BLANK]), ...(grid.totals ?? [])];
    const placed = rows.map((each): [number, GridRow] => [row++, each]);
    row += 1;
    const lastRow = firstRow + Math.max(1, grid.rows.length) - 1;
    return { grid, headingRow, headerRow, firstRow, lastRow, rows: placed };
  });
  return { kind: 'laid-out', source, sheetName: source.name, cardsRow, lead, grids, remarksRow: row };
};

/** The range of a named table, header and rows, for its defined name. */
export const gridRange = (sheetName: string, { grid, headerRow, firstRow, lastRow }: PlacedGrid): string =>
  `${quotedSheetName(sheetName)}!$A$${headerRow ?? firstRow}:$${columnLetter(grid.columns.length)}$${lastRow}`;

/** The shapes of a sheet's named tables, for formulas, by name. */
export const gridShapes = ({ sheetName, grids }: PlacedLaidOut): readonly (readonly [string, TableShape])[] =>
  grids.flatMap((placed): [string, TableShape][] => {
    const { grid, firstRow, lastRow } = placed;
    if (grid.name === undefined) return [];
    const letterOf = (title: string): string =>
      columnLetter(grid.columns.findIndex((column) => column.title === title) + 1);
    const shape: TableShape = {
      columns: new Map(grid.columns.map(({ title }) => [title, undefined])),
      rangeOf: (title) =>
        `${quotedSheetName(sheetName)}!$${letterOf(title)}$${firstRow}:$${letterOf(title)}$${lastRow}`,
      addressOf: (title, row) =>
        row < 0 || row > lastRow - firstRow
          ? undefined
          : `${quotedSheetName(sheetName)}!$${letterOf(title)}$${firstRow + row}`,
    };
    return [[grid.name, shape]];
  });
