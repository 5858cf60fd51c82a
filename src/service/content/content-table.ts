import { readFileSync } from 'node:fs';
import { parseDate } from '../../kernel/calendar.ts';
import { diskFailure } from '../../kernel/errors.ts';
import { parseRate, type Rate } from '../../kernel/money.ts';
import { ContentDamagedError } from './content-error.ts';
import { type ContentFolder, tablePath } from './content-folder.ts';
import { type Dated, OPEN_END } from './dated.ts';

/** One row of a content table; `cell` returns the text of a column, `''` when it is empty. */
export type TableRow = { readonly place: string; readonly cell: (column: string) => string };

const readText = (folder: ContentFolder, name: string): string => {
  const path = tablePath(folder, name);
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw diskFailure(cause, path) ?? new ContentDamagedError(name, 'the table cannot be read', cause);
  }
};

/**
 * Read a table as one text, with its columns.
 *
 * @throws {ContentDamagedError} when it cannot be read, or is cut off; E_DISK_FAILED
 */
export const readTableText = (
  folder: ContentFolder,
  name: string,
): { readonly text: string; readonly columns: readonly string[] } => {
  const text = readText(folder, name);
  if (!text.endsWith('\n'))
    throw new ContentDamagedError(name, 'the table is cut off: its last line has no end');
  return { text, columns: text.slice(0, text.indexOf('\n')).split('\t') };
};

/**
 * Read a content table (tab separated, a header line, no quoting, LF) and make one value of each row. A line of another
 * width, a missing column or a last line without a line end is damage.
 *
 * @throws {ContentDamagedError}
 */
export const readTable = <Value>(
  folder: ContentFolder,
  name: string,
  make: (row: TableRow) => Value,
): Value[] => {
  const { text, columns } = readTableText(folder, name);
  const rowAt = rowReader(name, columns);
  const values: Value[] = [];
  for (const [index, line] of text.slice(0, -1).split('\n').entries())
    if (index > 0) values.push(make(rowAt(line, index + 1)));
  return values;
};

/** Return a function that splits a line of a table into its cells. The header is line 1. */
export const rowReader = (
  name: string,
  header: readonly string[],
): ((line: string, number: number) => TableRow) => {
  const columns = new Map(header.map((column, index) => [column, index]));
  return (line, number) => {
    const cells = line.split('\t');
    const place = `${name}:${number}`;
    if (cells.length !== header.length) {
      throw new ContentDamagedError(place, `the line has ${cells.length} cells, the header ${header.length}`);
    }
    return { place, cell: (column) => cellOf(cells, columns, column, place) };
  };
};

const cellOf = (
  cells: readonly string[],
  columns: ReadonlyMap<string, number>,
  column: string,
  place: string,
): string => {
  const text = cells[columns.get(column) ?? -1];
  if (text === undefined) throw new ContentDamagedError(place, `the table has no column ${column}`);
  return text;
};

/** Read the dates, source and confidence of a row of law. */
export const datedOf = ({ place, cell }: TableRow): Dated => {
  const [from, to] = [cell('from'), cell('to')];
  for (const date of [from, to]) {
    if (date !== '' && parseDate(date) === undefined) {
      throw new ContentDamagedError(place, `${date} is not a calendar date`);
    }
  }
  if (to !== '' && from > to) throw new ContentDamagedError(place, `the row ends on ${to}, before it begins`);
  return { from, to: to === '' ? OPEN_END : to, source: cell('source'), confidence: cell('confidence') };
};

/** Read a rate column. @throws {ContentDamagedError} when it is not a decimal fraction from 0 to 1 */
export const rateOf = ({ place, cell }: TableRow, column = 'rate'): Rate => {
  const value = parseRate(cell(column));
  if (value === undefined || value < 0 || value > 10_000_000) {
    throw new ContentDamagedError(place, `${cell(column)} is not a rate`);
  }
  return value;
};

/** Read a column that must contain one of some words. @throws {ContentDamagedError} when it does not */
export const wordOf = <Word extends string>(
  { place, cell }: TableRow,
  column: string,
  words: readonly Word[],
): Word => {
  const text = cell(column);
  const found = words.find((word) => word === text);
  if (found === undefined)
    throw new ContentDamagedError(place, `${column} is ${text || 'empty'}, not ${words.join(', ')}`);
  return found;
};

/** Read a column that lists words between `separator`s; an empty column is an empty list. */
export const listOf = ({ cell }: TableRow, column: string, separator: string): string[] => {
  const text = cell(column);
  return text === '' ? [] : text.split(separator);
};
