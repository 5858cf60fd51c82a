import { numberedColumns, type RowForm } from './cell-reader.ts';
import { normalColumn } from './files/normal-column.ts';
import type { TableRow } from './files/table-row.ts';
import type { NumberedLines, PackedLines } from './profile/shape.ts';
import type { SalesProfile } from './profile.ts';
import { type RowReader, rowReader } from './row-view.ts';
import { unpacked } from './unpack.ts';

/** Where the lines of a record stand, as rows with a reader of their own. */
export type LineSource = {
  readonly read: RowReader;
  readonly rowsOf: (rows: readonly TableRow[]) => readonly TableRow[];
};

/**
 * The lines of records: their rows, or what is packed into numbered columns or into a text. Of the two packed forms
 * the numbered columns are meant where the file has both.
 */
export const lineSource = (
  profile: SalesProfile,
  header: readonly string[],
  read: RowReader,
  form: RowForm,
): LineSource => {
  const { numberedLines, packedLines } = profile;
  const numbered = numberedLines && numberedSource(numberedLines, header, form);
  if (numbered) return numbered;
  if (packedLines) return packedSource(packedLines, header, form);
  return {
    read,
    rowsOf: profile.shape.kind === 'jurisdiction' ? onceFor(profile.shape.line, read) : (rows) => rows,
  };
};

/** The first row of each line: a line that several jurisdictions tax has a row for each, and one price. */
const onceFor = (
  columns: readonly string[],
  read: RowReader,
): ((rows: readonly TableRow[]) => readonly TableRow[]) => {
  return (rows) => {
    const first = new Map<string, TableRow>();
    for (const row of rows) {
      const cells = columns.map((column) => read.text(row, column));
      // A row that names no line is one more jurisdiction of the line before it.
      if (cells.every((cell) => cell === '')) continue;
      const line = cells.join('\u0001');
      if (!first.has(line)) first.set(line, row);
    }
    return [...first.values()];
  };
};

/** Items in numbered columns, each as a row of its own; `undefined` when the file has no such columns. */
export const numberedSource = (
  columns: NumberedLines,
  header: readonly string[],
  form: RowForm,
): LineSource | undefined => {
  const items = numberedItems(header, Object.values(columns));
  if (items.length === 0) return undefined;
  return {
    read: rowReader(Object.keys(columns), form),
    rowsOf: (rows) =>
      rows.flatMap(({ line, cells }) =>
        items.map((places) => ({ line, cells: places.map((place) => cells[place] ?? '') })),
      ),
  };
};

/** The places of each item's columns, by item number. */
const numberedItems = (
  header: readonly string[],
  patterns: readonly string[],
): readonly (readonly number[])[] => {
  const names = header.map(normalColumn);
  const byNumber = new Map<number, number[]>();
  patterns.forEach((pattern, at) => {
    for (const [number, column] of numberedColumns(names, normalColumn(pattern))) {
      const places = byNumber.get(number) ?? patterns.map(() => -1);
      places[at] = names.indexOf(column);
      byNumber.set(number, places);
    }
  });
  return [...byNumber].sort(([left], [right]) => left - right).map(([, places]) => places);
};

/** Items packed into texts, each as a row of its own. */
export const packedSource = (packed: PackedLines, header: readonly string[], form: RowForm): LineSource => {
  const names = header.map(normalColumn);
  const places = packed.column.includes('#')
    ? numberedColumns(names, normalColumn(packed.column)).map(([, column]) => names.indexOf(column))
    : [names.indexOf(normalColumn(packed.column))];
  return {
    read: rowReader(packed.labels, form),
    rowsOf: (rows) =>
      rows.flatMap(({ line, cells }) =>
        places.flatMap((place) =>
          unpacked(cells[place] ?? '', packed).map((values) => ({ line, cells: values })),
        ),
      ),
  };
};
