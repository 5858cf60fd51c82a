import { normalColumn } from './files/normal-column.ts';
import type { TableRow } from './files/table-row.ts';
import type { NumberedLines, PackedLines } from './profile/shape.ts';
import type { SalesProfile } from './profile.ts';
import { numberedColumns, type RowForm, type RowReader, readerAt, rowReader } from './row-reader.ts';
import { unpacked } from './unpack.ts';

/** Where the lines of a record stand: in rows, each of which has a line for each reader. */
export type LineSource = {
  readonly readers: readonly RowReader[];
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
    readers: [read],
    rowsOf: profile.shape.kind === 'jurisdiction' ? onceFor(profile.shape.line, read) : (rows) => rows,
  };
};

/** The first row of each line: a line that several jurisdictions tax has a row for each, and one price. */
const onceFor = (
  columns: readonly string[],
  read: RowReader,
): ((rows: readonly TableRow[]) => readonly TableRow[]) => {
  const texts = columns.map(read.text);
  return (rows) => {
    const first = new Map<string, TableRow>();
    for (const row of rows) {
      const cells = texts.map((text) => text(row));
      // A row that names no line is one more jurisdiction of the line before it.
      if (cells.every((cell) => cell === '')) continue;
      const line = cells.join('\u0001');
      if (!first.has(line)) first.set(line, row);
    }
    return [...first.values()];
  };
};

/** Items in numbered columns, each with a reader of its own; `undefined` when the file has no such columns. */
export const numberedSource = (
  columns: NumberedLines,
  header: readonly string[],
  form: RowForm,
): LineSource | undefined => {
  const names = header.map(normalColumn);
  const byNumber = new Map<number, Map<string, number>>();
  for (const [name, pattern] of Object.entries(columns)) {
    for (const [number, column] of numberedColumns(names, normalColumn(pattern))) {
      const places = byNumber.get(number) ?? new Map<string, number>();
      byNumber.set(number, places.set(normalColumn(name), names.indexOf(column)));
      byNumber.set(number, places);
    }
  }
  if (byNumber.size === 0) return undefined;
  const inOrder = [...byNumber].sort(([left], [right]) => left - right);
  return { readers: inOrder.map(([, places]) => readerAt(places, form)), rowsOf: (rows) => rows };
};

/** Items packed into texts, each as a row of its own. */
export const packedSource = (packed: PackedLines, header: readonly string[], form: RowForm): LineSource => {
  const names = header.map(normalColumn);
  const places = packed.column.includes('#')
    ? numberedColumns(names, normalColumn(packed.column)).map(([, column]) => names.indexOf(column))
    : [names.indexOf(normalColumn(packed.column))];
  return {
    readers: [rowReader(packed.labels, form)],
    rowsOf: (rows) =>
      rows.flatMap(({ line, cells }) =>
        places.flatMap((place) =>
          unpacked(cells[place] ?? '', packed).map((values) => ({ line, cells: values })),
        ),
      ),
  };
};
