import { DefectError } from '../../kernel/errors.ts';
import { type Link, shownValue } from './cell.ts';
import { type ColumnFit, fitColumns } from './column-widths.ts';
import { ruleOf } from './format.ts';
import type { PlacedLaidOut } from './place-laid-out.ts';
import type { FilledSheet, Line } from './sheet.ts';
import { quotedSheetName } from './spreadsheet-name.ts';
import { textLines } from './text-lines.ts';

/** Maximum number of rows of a sheet in Excel's file format. */
const SHEET_ROWS_MAX = 1_048_576;

/**
 * The number of links that the lines and rows of a sheet have at most. Excel refuses a sheet with more than 65,530; the
 * rest is left for links out of the workbook.
 */
export const LINKS_MAX = 65_000;
const NOTE_WIDTH_MIN = 60;
const NOTE_WIDTH_MAX = 130;
const MARGIN = 3;
/** A longer text beside a label wraps; otherwise its width would shrink the whole sheet in print. */
const LINE_TEXT_MAX = 52;

/** A table of a sheet, and the positions of everything in it. Rows count from 1. */
export type PlacedTable = {
  readonly kind: 'table';
  readonly source: FilledSheet;
  readonly sheetName: string;
  readonly fits: readonly ColumnFit[];
  /** Row of the title. */
  readonly titleRow: number;
  readonly notes: readonly string[];
  readonly lines: readonly Line[];
  /** Row of the first labelled value. */
  readonly linesRow: number;
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
    const widths = fitsOf(table, room).map(({ width }) => width);
    room = Array.from({ length: Math.max(room.length, widths.length) }, (_, index) =>
      Math.max(room[index] ?? 0, widths[index] ?? 0),
    );
  }
  let last = placeAt(1, source, source.sheet.name, fitsOf(source, room));
  const first = last;
  const further = below.map((table) => {
    const titleRow = (last.totalRow ?? last.lastRow) + ROWS_BETWEEN + 1;
    last = placeAt(titleRow, table, source.sheet.name, fitsOf(table, room));
    return last;
  });
  return { ...first, below: further };
};

const fitsOf = (source: FilledSheet, room: readonly number[]): readonly ColumnFit[] =>
  withRoomForLines(fitColumns(source, room), source.sheet.lines ?? []);

/** @throws {DefectError} for more rows than a sheet has. */
const placeAt = (
  titleRow: number,
  source: FilledSheet,
  sheetName: string,
  fits: readonly ColumnFit[],
): PlacedTable => {
  const { sheet, count } = source;
  const { lines = [] } = sheet;
  const notes = notesOf(
    source,
    fits.reduce((sum, { width }) => sum + width, 0),
  );
  // A blank row precedes the labelled values, if any, and the header.
  const linesRow = titleRow + notes.length + 2;
  const headerRow = lines.length > 0 ? linesRow + lines.length + 1 : linesRow;
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
    lines,
    linesRow,
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

/** Widens the first two columns to fit the labels and the values; long texts wrap. */
const withRoomForLines = (fits: readonly ColumnFit[], lines: readonly Line[]): readonly ColumnFit[] => {
  const widths = [lines.map(({ label }) => label.length + MARGIN), lines.map(lineWidth)];
  return fits.map((fit, index) => ({ ...fit, width: Math.max(fit.width, ...(widths[index] ?? [])) }));
};

const lineWidth = ({ value: { format, value } }: Line): number => {
  const shown = shownValue(value);
  const width = shown === undefined ? 0 : ruleOf(format).show(shown).length + MARGIN;
  return format === 'text' ? Math.min(width, LINE_TEXT_MAX) : width;
};

/**
 * Returns the address of a sheet, of a table by its title, or of one of its rows: `'Detail'!A17`.
 *
 * @throws {DefectError} when the target does not exist.
 */
export const linkTarget = ({ sheet, row }: Link, placed: readonly PlacedSheet[]): string => {
  const table = placed.flatMap(tablesOn).find(({ source }) => source.sheet.name === sheet);
  const target = table ?? placed.find(({ sheetName }) => sheetName === sheet);
  if (!target) throw new DefectError(`a link leads to the sheet ${sheet}, which is not in the workbook`);
  const start = target.kind === 'table' ? target.titleRow : 1;
  return `${quotedSheetName(target.sheetName)}!A${table && row !== undefined ? table.firstRow + row : start}`;
};
