import type { TableRow } from './files/table-row.ts';
import type { SalesProfile } from './profile.ts';
import type { RowReader } from './row-view.ts';

/**
 * The rows from which the amounts of a record are read. Where the first row tells of the whole record and the others
 * of its items, what the first one has counts for all of them, and would be counted twice in the others.
 */
export const amountRows = (
  rows: readonly TableRow[],
  { shape, file: { nullTokens } }: SalesProfile,
  read: Pick<RowReader, 'text'>,
): readonly TableRow[] => {
  const [first, ...others] = rows;
  if (shape.kind !== 'line-repeat' || shape.summary === undefined || !first || others.length === 0)
    return rows;
  const { summary } = shape;
  const isSummary = (row: TableRow): boolean => read.text(row, summary) === '';
  if (!isSummary(first) || others.every(isSummary)) return rows;
  const nothing = new Set(['', ...nullTokens]);
  const isTold = first.cells.map((cell) => !nothing.has(cell.trim()));
  return [
    first,
    ...others.map(({ line, cells }) => ({
      line,
      cells: cells.map((cell, index) => (isTold[index] ? '' : cell)),
    })),
  ];
};
