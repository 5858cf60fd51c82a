import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { parseDate } from '../kernel/calendar.ts';
import { diskFailure, TieoutError } from '../kernel/errors.ts';
import { type Price, parseExactPrice, parseRate, type Rate, ZERO_PRICE, ZERO_RATE } from '../kernel/money.ts';
import { placeKey } from './region-names.ts';

/** The name of the manifest in a content folder. */
export const MANIFEST_FILE = 'manifest.json';

/** One official file that was imported into a content. */
const ImportedFile = z.strictObject({
  file: z.string(),
  /** The name of its layout. */
  kind: z.string(),
  /** Postal code; several for a neutral file. */
  state: z.string(),
  /** The quarter or day that the file is for; empty when the file does not state it. */
  period: z.string(),
  sha256: z.string(),
  on: z.iso.date(),
  /** Rows of data in the file. */
  rows: z.number().int(),
});
export type ImportedFile = z.output<typeof ImportedFile>;

/** The manifest of a content folder. */
const Manifest = z.strictObject({
  name: z.string().min(1),
  version: z.string().min(1),
  date: z.iso.date().refine((day) => parseDate(day) !== undefined, 'must be a day since 1900'),
  /** The words of confidence of rows that are not in doubt; others are applied as the likelier side, and flagged. */
  confidence: z.array(z.string()).min(1),
  /** The file of a table, if not the one of its own name: imports write new files and never overwrite old ones. */
  tables: z.record(z.string(), z.string()).optional(),
  imports: z.array(ImportedFile).optional(),
});
export type Manifest = z.output<typeof Manifest>;

/** @throws {ContentDamagedError} when the folder has no readable manifest; E_DISK_FAILED */
const readManifest = (folder: string): Manifest => {
  try {
    return Manifest.parse(JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8')));
  } catch (cause) {
    const file = join(folder, MANIFEST_FILE);
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') {
      const nextStep =
        'Name the folder with --content; `tieout content import FILE --content FOLDER` begins one that is not there yet.';
      throw new ContentDamagedError(file, 'there is no tax content', cause, nextStep);
    }
    throw diskFailure(cause, file) ?? new ContentDamagedError(file, 'the manifest cannot be read', cause);
  }
};

/** A content folder with its manifest, which names the current tables. Imported ones are stored beside the old ones. */
export type ContentFolder = { readonly path: string; readonly manifest: Manifest };

export const openContentFolder = (path: string): ContentFolder => ({ path, manifest: readManifest(path) });

/** Return the name of the boundary table of a state. */
export const boundariesTable = (state: string): string => `boundaries-${state}.sqlite`;

/** Return the state of a boundary table; `undefined` for any other table. */
export const stateOfBoundaries = (table: string): string | undefined =>
  /^boundaries-([A-Z]{2})\.sqlite$/.exec(table)?.[1];

/** Return the file of a table, relative to the folder. */
const tableFile = ({ manifest }: ContentFolder, table: string): string => manifest.tables?.[table] ?? table;

export const tablePath = (folder: ContentFolder, table: string): string =>
  join(folder.path, tableFile(folder, table));

const RESTORE = 'Restore the content folder from its history, or import the official file again.';

/** The parts of an error about a place in a table or file. */
const at = (place: string, problem: string, cause: unknown) => ({
  message: `${place}: ${problem}`,
  details: { place },
  ...(cause === undefined ? {} : { cause }),
});

/** The content folder cannot be used as it is: a table is missing, damaged or contradicts itself. */
export class ContentDamagedError extends TieoutError {
  constructor(place: string, problem: string, cause?: unknown, nextStep = RESTORE) {
    super({ code: 'E_CONTENT_DAMAGED', nextStep, ...at(place, problem, cause) });
  }
}

const DOWNLOAD = 'Nothing was changed. Download the file again from its publisher, and compare the two.';

/** A file offered for import was refused: unknown layout, truncated, wrong period or overlapping dates. */
export class ContentRefusedError extends TieoutError {
  constructor(place: string, problem: string, cause?: unknown, nextStep = DOWNLOAD) {
    super({ code: 'E_CONTENT_REFUSED', nextStep, ...at(place, problem, cause) });
  }
}

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
 * Read a table: its lines below the header, and what splits them into their cells.
 *
 * @throws {ContentDamagedError} when it cannot be read, or is cut off; E_DISK_FAILED
 */
const openTable = (folder: ContentFolder, name: string) => {
  const text = readText(folder, name);
  if (!text.endsWith('\n'))
    throw new ContentDamagedError(name, 'the table is cut off: its last line has no end');
  const [header = '', ...lines] = text.slice(0, -1).split('\n');
  return { lines, rowAt: rowReader(name, header.split('\t')) };
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
  const { lines, rowAt } = openTable(folder, name);
  return lines.map((line, index) => make(rowAt(line, index)));
};

/** Return what reads the tables of a folder whose rows are grouped by one column: it returns the values of a group. */
export const tablesBy =
  (folder: ContentFolder, column: string) =>
  <Value>(name: string, make: (row: TableRow) => Value): ((group: string) => readonly Value[]) => {
    const groups = new Map<string, Value[]>();
    readTable(folder, name, (row) => addTo(groups, row.cell(column), make(row)));
    return (group) => groups.get(group) ?? [];
  };

/** Return a function that splits a line of a table into its cells. The header is line 1, and the first below it line 2. */
const rowReader = (name: string, header: readonly string[]): ((line: string, below: number) => TableRow) => {
  const columns = new Map(header.map((column, index) => [column, index]));
  return (line, below) => {
    const cells = line.split('\t');
    const place = `${name}:${below + 2}`;
    if (cells.length !== header.length) {
      throw new ContentDamagedError(place, `the line has ${cells.length} cells, the header ${header.length}`);
    }
    const cell = (column: string): string => {
      const text = cells[columns.get(column) ?? -1];
      if (text === undefined) throw new ContentDamagedError(place, `the table has no column ${column}`);
      return text;
    };
    return { place, cell };
  };
};

/** The last day of a row that is still in force. */
export const OPEN_END = '9999-12-31';

/**
 * A row of law or of a rate, in force on every day from `from` to `to`, both included. An empty `from` means that the
 * start is unknown; `to` is `9999-12-31` while the row is in force. Every row names its source and its confidence.
 */
export type Dated = {
  readonly from: string;
  readonly to: string;
  readonly source: string;
  readonly confidence: string;
};

/** Read the dates, source and confidence of a row of law. */
export const datedOf = ({ place, cell }: TableRow): Dated => {
  const from = cell('from');
  const to = cell('to');
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

/** Read the column of the rate; empty is zero. */
export const rateOrZero = (row: TableRow): Rate => (row.cell('rate') === '' ? ZERO_RATE : rateOf(row));

/** Read an amount column; empty is zero. */
export const amountOf = ({ place, cell }: TableRow, column: string): Price => {
  if (cell(column) === '') return ZERO_PRICE;
  const amount = parseExactPrice(cell(column));
  if (amount === undefined) throw new ContentDamagedError(place, `${cell(column)} is not an amount`);
  return amount;
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

const NO_PLACES: ReadonlySet<string> = new Set();

/** Read a column that lists places, as the keys by which they are compared. */
export const placesIn = (row: TableRow, column: string): ReadonlySet<string> => {
  const names = listOf(row, column, ';');
  return names.length === 0 ? NO_PLACES : new Set(names.map(placeKey));
};

/** The part of a `Map` that is available for a table whose rows are parsed on demand. */
export type Lookup<Value> = {
  readonly get: (key: string) => Value | undefined;
  readonly has: (key: string) => boolean;
  /** Parses all rows. */
  readonly [Symbol.iterator]: () => Iterator<readonly [string, Value]>;
};

/** Adds a value to a group. */
export const addTo = <Value>(groups: Map<string, Value[]>, key: string, value: Value): void => {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
};

/** The rows of a large table, grouped by the first characters of their first cell. */
type GroupedRows = ReturnType<typeof groupedRows>;

/**
 * Read a table whose rows are parsed in groups that share the first `prefix` characters: a calculation needs only a few
 * groups.
 */
export const groupedRows = (folder: ContentFolder, name: string, prefix: number) => {
  const { lines, rowAt } = openTable(folder, name);
  const groups = Map.groupBy(lines.entries(), ([, line]) => line.slice(0, prefix));
  return {
    prefix,
    groups: () => groups.keys(),
    rowsOf: (group: string) => (groups.get(group) ?? []).map(([index, line]) => rowAt(line, index)),
  };
};

/** Look values up by keys that begin with the name of their group. A group is parsed once, when a key needs it. */
export const lookup = <Value>(
  { prefix, groups, rowsOf }: GroupedRows,
  make: (rows: readonly TableRow[]) => ReadonlyMap<string, Value>,
): Lookup<Value> => {
  const made = new Map<string, ReadonlyMap<string, Value>>();
  const groupOf = (group: string): ReadonlyMap<string, Value> => {
    const known = made.get(group);
    if (known) return known;
    const rows = rowsOf(group);
    const values = make(rows);
    // Groups that a caller invents must not fill the memory.
    if (rows.length > 0) made.set(group, values);
    return values;
  };
  const get = (key: string): Value | undefined => groupOf(key.slice(0, prefix)).get(key);
  return {
    get,
    has: (key) => get(key) !== undefined,
    *[Symbol.iterator]() {
      for (const group of groups()) yield* groupOf(group);
    },
  };
};
