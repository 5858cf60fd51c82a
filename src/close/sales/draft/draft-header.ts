import { ExportError } from '../export-error.ts';
import type { SurveyedFile } from '../files/survey-file.ts';
import type { TableHead } from '../files/table-heads.ts';
import type { TableRow } from '../files/table-row.ts';

export const DELIMITERS = [',', '\t', ';', '|'];

/** Returns the header of a file, and the table that it heads: the widest row that may be one. */
export const bestHeader = (
  file: SurveyedFile,
  heads: readonly TableHead[],
): { readonly head: TableHead; readonly header: TableRow } => {
  const found = heads
    .flatMap((head) =>
      head.rows.filter((row) => isFullHeader(row, head.rows)).map((header) => ({ head, header })),
    )
    .sort((left, right) => right.header.cells.length - left.header.cells.length)[0];
  if (found) return found;
  throw new ExportError(
    'E_EXPORT_UNKNOWN',
    file.place,
    'none of its first lines looks like a header',
    'Export it again with a header of column names.',
  );
};

/**
 * Whether a row may be a header: it has several cells, nearly all of them filled with different words, and no earlier
 * row at least as wide could be one.
 */
const isFullHeader = (row: TableRow, rows: readonly TableRow[]): boolean => {
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
