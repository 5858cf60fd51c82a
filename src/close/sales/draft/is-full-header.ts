import type { TableRow } from '../files/table-row.ts';

/**
 * Whether a row may be a header: several cells, nearly all of them filled with words that differ, and no earlier row
 * as wide as it that could be one.
 */
export const isFullHeader = (row: TableRow, rows: readonly TableRow[]): boolean => {
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
