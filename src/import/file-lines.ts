import { ContentRefusedError } from '../content/content-folder.ts';
import { type Column, LAYOUTS, type Layout, type Match } from './layouts.ts';
import type { OfficialFile, Rows } from './official-file.ts';

/** A line of a file in some layout. */
export type FileLine = {
  /** The name of the file and the number of the line. */
  readonly at: string;
  /** Return the trimmed text of a cell. @throws {ContentRefusedError} when the line is cut off before it */
  readonly cell: (column: Column) => string;
};

/** A file whose layout is known. */
export type RecognizedFile = {
  readonly layout: Layout;
  readonly lines: readonly FileLine[];
  /** What the first line says of the file, where the layout has such a line. */
  readonly said: Readonly<Record<string, string>>;
};

/** Titles are compared without blanks and without what stands in parentheses: `Sales Tax Rate (0000)`. */
const titleKey = (title: string): string => title.replace(/\(.*$/, '').replace(/\s/g, '').toLowerCase();

/** Maximum number of rows above the titles. */
const ABOVE_MAX = 20;

/** The least share of the titles of a layout with which a file counts as one of it with other columns. */
const LIKENESS = 0.75;

/**
 * Find the layout of a table by its titles; of a workbook, in the first of its sheets that has them.
 *
 * @param isWorkbook whether the cells at the end of a row are left out where they are empty
 * @throws {ContentRefusedError} when it has most titles of a layout, and lacks others
 */
export const recognizeTable = (
  file: OfficialFile,
  sheets: readonly Rows[],
  isWorkbook: boolean,
): RecognizedFile | undefined => {
  const likely = LAYOUTS.filter(({ form }) => form === 'table').flatMap((layout) =>
    sheets.flatMap((rows) =>
      rows.slice(0, ABOVE_MAX).map((row, top) => {
        const titles = row.map(titleKey);
        const needed = titlesOf(layout);
        const missing = needed.filter((title) => !titles.includes(title));
        return { layout, rows, top, titles, missing, likeness: 1 - missing.length / needed.length };
      }),
    ),
  );
  const best = likely.toSorted((left, right) => right.likeness - left.likeness)[0];
  if (best === undefined || best.likeness < LIKENESS) return undefined;
  const { layout, rows, top, titles, missing } = best;
  if (missing.length > 0)
    throw new ContentRefusedError(
      file.name,
      `it looks like the file of ${layout.state} (${layout.kind}), and has no column ${missing.join(', ')}`,
    );
  const lines = rows
    .slice(top + 1)
    .map((row, index) =>
      lineOf(`${file.name}: row ${top + index + 2}`, row, titles, isWorkbook || layout.isRagged),
    );
  return { layout, lines, said: {} };
};

const titlesOf = ({ columns, parts = [], sum }: Layout): readonly string[] => {
  const all = [...Object.values(columns), ...parts.map(({ rate }) => rate), sum];
  return [...new Set(all.filter((column) => typeof column === 'string'))];
};

/**
 * @param titles the titles of a table, otherwise the number of cells
 * @param isShort whether the line ends before cells that are empty
 */
const lineOf = (
  at: string,
  cells: readonly string[],
  titles: readonly string[] | number,
  isShort = false,
): FileLine => ({
  at,
  cell: (column) => {
    const [count, index] =
      typeof titles === 'number' ? [titles, Number(column)] : [titles.length, indexOf(titles, column)];
    const isLong = cells.slice(count).some((cell) => cell !== '');
    if (isLong || (cells.length < count && !isShort))
      throw new ContentRefusedError(at, `the line has ${cells.length} fields instead of ${count}`);
    return cells[index] ?? '';
  },
});

const indexOf = (titles: readonly string[], column: Column): number =>
  typeof column === 'number' ? column : titles.indexOf(column);

/** Find the layout of a file without titles by its first line. */
export const recognizeLines = (file: OfficialFile, lines: readonly string[]): RecognizedFile | undefined => {
  const [first = ''] = lines.filter((line) => line.trim() !== '');
  for (const layout of LAYOUTS) {
    const found = layout.firstLine?.exec(first);
    const { form } = layout;
    if (!found || form === 'table' || ('width' in form && first.length !== form.width)) continue;
    const read = lines.flatMap((line, index) => {
      const at = `${file.name}:${index + 1}`;
      if (line.trim() === '') return [];
      if ('width' in form) return [lineOf(at, cutCells(form, line, at), form.cuts.length)];
      const cells = line.split('\t').map((cell) => cell.trim());
      return line === first || form.except.test(line) ? [] : [lineOf(at, cells, form.cells)];
    });
    return { layout, lines: read, said: found.groups ?? {} };
  }
  return undefined;
};

const cutCells = (
  { width, cuts }: { readonly width: number; readonly cuts: readonly number[] },
  line: string,
  at: string,
): readonly string[] => {
  if (line.length !== width)
    throw new ContentRefusedError(at, `the line has ${line.length} characters instead of ${width}`);
  return cuts.map((cut, index) => line.slice(cut, cuts[index + 1]).trim());
};

/** Whether the cells of a line have these patterns. */
export const matches = (line: FileLine, { columns }: Layout, patterns: Match | undefined): boolean =>
  Object.entries(patterns ?? {}).every(([name, pattern]) => pattern.test(line.cell(columns[name] ?? '')));
