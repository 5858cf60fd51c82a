import { DefectError } from '../../kernel/errors.ts';
import { type Link, shownValue } from './cell.ts';
import { type ColumnFit, fitColumns } from './column-widths.ts';
import { ruleOf } from './format.ts';
import type { PlacedLaidOut } from './place-laid-out.ts';
import type { FilledSheet, Line, TextSheet } from './sheet.ts';
import { checkSheetName, partName, quotedSheetName } from './spreadsheet-name.ts';
import { templateRows } from './template-rows.ts';
import { textLines } from './text-lines.ts';

/** Maximum number of rows of a sheet in Excel's file format. */
export const SHEET_ROWS_MAX = 1_048_576;

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

/** A sheet of the file with a table or a part of one, and the positions of everything on it. Rows count from 1. */
export type PlacedTable = {
  readonly kind: 'table';
  readonly source: FilledSheet;
  readonly sheetName: string;
  readonly table: string;
  readonly part: number;
  readonly parts: number;
  /** Number of the table's rows before this part, and in this part. */
  readonly offset: number;
  readonly count: number;
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
  /** Row after which the template rows are drawn until real rows replace them: the header's, or below a whole stack. */
  readonly templateRow: number;
  /** Further tables on the sheet, below this one. */
  readonly below: readonly PlacedTable[];
};

export type PlacedText = { readonly kind: 'text'; readonly source: TextSheet; readonly sheetName: string };
export type PlacedSheet = PlacedTable | PlacedText | PlacedLaidOut;

/** Returns the tables of a sheet, from top to bottom. */
export const tablesOn = (sheet: PlacedSheet): readonly PlacedTable[] =>
  sheet.kind === 'table' ? [sheet, ...sheet.below] : [];

/** Places a table with the tables stacked below it, or splits a single table over as many sheets as its rows need. */
export const placeTable = (source: FilledSheet, sheetRowsMax: number): PlacedTable[] => {
  const { below = [] } = source;
  const tables = [source, ...below];
  const room = tables.reduce<readonly number[]>(
    (widths, table) =>
      merged(
        widths,
        fitsOf(table, widths).map(({ width }) => width),
      ),
    [],
  );
  const fits = tables.map((table) => fitsOf(table, room));
  const parts = placeParts(source, fits[0] ?? [], { sheetRowsMax, titleRow: 1 });
  if (below.length === 0) return parts;
  if (parts.length > 1) throw new DefectError(`${source.sheet.name} leaves no room for the tables below it`);
  const stack = [...parts];
  for (const [index, table] of below.entries()) {
    const titleRow = endOf(stack) + ROWS_BETWEEN + 1;
    stack.push(...placeParts(table, fits[index + 1] ?? [], { sheetRowsMax, titleRow }));
  }
  return [stackOf(stack, source.sheet.name)];
};

/** Blank rows between two tables of a sheet. */
const ROWS_BETWEEN = 2;

const endOf = (placed: readonly PlacedTable[]): number => {
  const last = placed.at(-1);
  return last?.totalRow ?? last?.lastRow ?? 0;
};

/** Places a stack. The template rows of all its tables follow below the whole stack, one table after the other. */
const stackOf = (tables: readonly PlacedTable[], sheetName: string): PlacedTable => {
  let templateRow = endOf(tables);
  const [first, ...below] = tables.map((table): PlacedTable => {
    const own = { ...table, sheetName, templateRow };
    templateRow += templateRows(table.source.sheet.columns);
    return own;
  });
  if (!first) throw new DefectError(`${sheetName} has no table`);
  return { ...first, below };
};

const fitsOf = (source: FilledSheet, room: readonly number[]): readonly ColumnFit[] =>
  withRoomForLines(fitColumns(source, room), source.sheet.lines ?? []);

const merged = (one: readonly number[], other: readonly number[]): readonly number[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, index) =>
    Math.max(one[index] ?? 0, other[index] ?? 0),
  );

type Place = { readonly sheetRowsMax: number; readonly titleRow: number };

/** Splits a table into as many parts as its rows need. */
const placeParts = (
  source: FilledSheet,
  fits: readonly ColumnFit[],
  { sheetRowsMax, titleRow }: Place,
): PlacedTable[] => {
  const { sheet, count } = source;
  if (!Number.isSafeInteger(count) || count < 0) throw new DefectError(`${sheet.name} has ${count} rows`);
  const lines = sheet.lines ?? [];
  const noteWidth = fits.reduce((sum, { width }) => sum + width, 0);
  const hasTotals = sheet.columns.some(({ total }) => total !== undefined);

  const draw = (part: number, parts: number, offset: number, rows: number): PlacedTable => {
    const notes = notesOf(source, noteWidth, part, parts);
    const partLines = part === 1 ? lines : [];
    // A blank row precedes the labelled values, if any, and the header.
    const linesRow = titleRow + notes.length + 2;
    const headerRow = partLines.length > 0 ? linesRow + partLines.length + 1 : linesRow;
    const capacity = sheetRowsMax - headerRow - (hasTotals ? 1 : 0);
    if (capacity < 1) throw new DefectError(`${sheet.name} has no room for rows`);
    const taken = Math.min(capacity, rows);
    const lastRow = headerRow + Math.max(1, taken);
    const sheetName = partName(sheet.name, part);
    checkSheetName(sheetName);
    return {
      kind: 'table',
      source,
      sheetName,
      table: partName(source.table, part),
      part,
      parts,
      offset,
      count: taken,
      fits,
      titleRow,
      notes,
      lines: partLines,
      linesRow,
      headerRow,
      firstRow: headerRow + 1,
      lastRow,
      totalRow: hasTotals ? lastRow + 1 : undefined,
      templateRow: headerRow,
      below: [],
    };
  };

  const whole = draw(1, 1, 0, count);
  if (whole.count === count) return [whole];
  const cut = (parts: number): PlacedTable[] => {
    const placed: PlacedTable[] = [];
    for (let offset = 0; offset < count; offset = nextOffset(placed)) {
      placed.push(draw(placed.length + 1, parts, offset, count - offset));
    }
    return placed;
  };
  // Each part prints the number of parts, which does not change how many rows fit.
  return cut(cut(2).length);
};

const nextOffset = (placed: readonly PlacedTable[]): number => {
  const last = placed.at(-1);
  return last ? last.offset + last.count : 0;
};

const notesOf = (source: FilledSheet, width: number, part: number, parts: number): string[] => {
  const { note, name, empty = `There are no rows for "${name}" in this period.` } = source.sheet;
  const notes = note === undefined ? [] : textLines(note, clampWidth(width));
  if (parts > 1) notes.push(`Part ${part} of ${parts}: the rows are too many for one sheet.`);
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
 * Returns the address of a sheet, of a table by its title, or of one of its rows: `'Detail_2'!A17`.
 *
 * @throws {DefectError} when the target does not exist.
 */
export const linkTarget = ({ sheet, row }: Link, placed: readonly PlacedSheet[]): string => {
  const tables = placed.flatMap(tablesOn).filter(({ source }) => source.sheet.name === sheet);
  const first = tables[0] ?? placed.find(({ kind, sheetName }) => kind !== 'table' && sheetName === sheet);
  if (!first) throw new DefectError(`a link leads to the sheet ${sheet}, which is not in the workbook`);
  if (row === undefined) {
    return `${quotedSheetName(first.sheetName)}!A${first.kind === 'table' ? first.titleRow : 1}`;
  }
  for (const each of tables) {
    if (row >= each.offset && row < each.offset + each.count) {
      return `${quotedSheetName(each.sheetName)}!A${each.firstRow + row - each.offset}`;
    }
  }
  throw new DefectError(`a link leads to row ${row} of ${sheet}, which has no such row`);
};
