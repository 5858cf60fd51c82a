import { ContentDamagedError } from './content-error.ts';
import type { ContentFolder } from './content-folder.ts';
import { readTableText, rowReader, type TableRow } from './content-table.ts';

/** The part of a `Map` that is available for a table whose rows are parsed on demand. */
export type Lookup<Value> = {
  readonly get: (key: string) => Value | undefined;
  readonly has: (key: string) => boolean;
  /** Parses all rows. */
  readonly [Symbol.iterator]: () => Iterator<readonly [string, Value]>;
};

/** The rows of a large table, grouped by the first characters of their first cell. */
export type GroupedRows = {
  readonly prefix: number;
  readonly groups: () => Iterable<string>;
  readonly rowsOf: (group: string) => readonly TableRow[];
};

/**
 * Read a table that is sorted by its first column. It stays one text; rows are parsed in groups that share the same
 * first `prefix` characters. A calculation needs only a few groups.
 *
 * @throws {ContentDamagedError} when a line has another width than the header, or a group is out of order
 */
export const groupedRows = (folder: ContentFolder, name: string, prefix: number): GroupedRows => {
  const { text, columns } = readTableText(folder, name);
  const ranges = rangesOf(text, columns.length, { name, prefix });
  const rowAt = rowReader(name, columns);
  return {
    prefix,
    groups: () => ranges.keys(),
    rowsOf: (group) => {
      const range = ranges.get(group);
      if (!range) return [];
      const lines = text.slice(range.start, range.end - 1).split('\n');
      return lines.map((line, index) => rowAt(line, range.line + index));
    },
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

/** The lines of a group within the text, from `start` to before `end`; the first of them has the number `line`. */
type Range = { readonly start: number; end: number; readonly line: number };

const rangesOf = (
  text: string,
  width: number,
  { name, prefix }: { readonly name: string; readonly prefix: number },
): ReadonlyMap<string, Range> => {
  const ranges = new Map<string, Range>();
  let current: Range | undefined;
  let last = '';
  for (let line = 2, start = text.indexOf('\n') + 1; start < text.length; line += 1) {
    const end = text.indexOf('\n', start) + 1;
    const cells = cellsBetween(text, start, end);
    if (cells !== width)
      throw new ContentDamagedError(`${name}:${line}`, `the line has ${cells} cells, the header ${width}`);
    const group = text.slice(start, start + prefix);
    if (current && group === last) current.end = end;
    else {
      if (group < last) throw new ContentDamagedError(`${name}:${line}`, 'the line is out of order');
      current = { start, end, line };
      ranges.set(group, current);
      last = group;
    }
    start = end;
  }
  return ranges;
};

const cellsBetween = (text: string, start: number, end: number): number => {
  let cells = 1;
  for (let tab = text.indexOf('\t', start); tab !== -1 && tab < end; tab = text.indexOf('\t', tab + 1))
    cells += 1;
  return cells;
};
