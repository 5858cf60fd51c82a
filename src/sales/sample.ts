import { ExportError } from './export-error.ts';
import type { SurveyedFile } from './survey-file.ts';
import type { TableHead } from './table-heads.ts';
import { calledColumns, rowByRow, type TableRow } from './table-row.ts';

/** Maximum number of rows used for guesses. */
const SAMPLE_ROWS = 500;

/** A column of a sample: its name as profiles call it, and its trimmed cells row by row. */
export type SampleColumn = { readonly name: string; readonly cells: readonly string[] };

/** The first rows of a table that no profile describes, column by column. */
export type Sample = {
  readonly header: TableRow;
  readonly columns: readonly SampleColumn[];
  readonly rows: number;
  /** Whether rows of totals are among them, which are left out of the columns. */
  readonly hasTotals: boolean;
};

/** How rows of totals begin. */
export const TOTALS = '^(grand )?totals?\\b';

/** @throws {ExportError} when no row looks like a header */
export const sampleOf = async (file: SurveyedFile, heads: readonly TableHead[]): Promise<Sample> => {
  const [best] = heads
    .flatMap((head) =>
      head.rows.filter((row) => isHeader(row, head.rows)).map((header) => ({ head, header })),
    )
    .sort((left, right) => right.header.cells.length - left.header.cells.length);
  if (best) return sampleBelow(best.head, best.header);
  throw new ExportError(
    'E_EXPORT_UNKNOWN',
    file.place,
    'none of its first lines looks like a header',
    'Export it again with a header of column names.',
  );
};

/** The first rows of a table below its header. */
export const sampleBelow = async (head: TableHead, header: TableRow): Promise<Sample> => {
  const all: TableRow[] = [];
  for await (const row of rowByRow(head.from(header))) {
    if (row.line > header.line) all.push(row);
    if (all.length === SAMPLE_ROWS) break;
  }
  const rows = all.filter((row) => !isOfTotals(row));
  const columns = calledColumns(header.cells).map((name, at) => ({
    name,
    cells: rows.map(({ cells }) => (cells[at] ?? '').trim()),
  }));
  return { header, columns, rows: rows.length, hasTotals: rows.length < all.length };
};

const isOfTotals = ({ cells }: TableRow): boolean =>
  new RegExp(TOTALS, 'iu').test(cells.find((cell) => cell.trim() !== '')?.trim() ?? '');

/**
 * Whether a row may be a header: it has several cells, nearly all of them filled with different words, and no earlier
 * row at least as wide could be one.
 */
const isHeader = (row: TableRow, rows: readonly TableRow[]): boolean => {
  const isWordy = ({ cells }: TableRow): boolean => {
    const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
    const words = filled.filter((cell) => /\p{L}/u.test(cell) && !/^[\d$(-]/.test(cell));
    return (
      filled.length >= 3 && words.length >= filled.length * 0.9 && new Set(words).size >= words.length * 0.8
    );
  };
  return (
    isWordy(row) &&
    rows.every((other) => other.line >= row.line || other.cells.length < row.cells.length || !isWordy(other))
  );
};
