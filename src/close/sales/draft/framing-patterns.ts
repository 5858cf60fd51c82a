import type { TableRow } from '../files/table-row.ts';

const SUMS_AND_NOTES = ['^(grand )?totals?\\b', '^(accrual|cash) basis\\b'];

/** Patterns of rows that are not records: sums wherever they stand, and what reports say of themselves. */
export const framingPatterns = (sample: readonly TableRow[]): readonly string[] => {
  const starts = sample.map(startOf);
  const described = descriptionIn(sample);
  return [
    ...SUMS_AND_NOTES.filter((pattern) => starts.some((start) => new RegExp(pattern, 'iu').test(start))),
    ...(described === undefined ? [] : [`^${described.replace(/[^\p{L}\p{N} ]/gu, '.')}`]),
  ];
};

export const startOf = ({ cells }: TableRow): string =>
  cells.find((cell) => cell.trim() !== '')?.trim() ?? '';

/** How the first row begins, where it explains the columns: words only, above rows that have numbers there. */
const descriptionIn = ([first, ...others]: readonly TableRow[]): string | undefined => {
  if (!first || others.length === 0) return undefined;
  const hasNumber = ({ cells }: TableRow, at: number): boolean => /\d/.test(cells[at] ?? '');
  const explained = first.cells.filter(
    (cell, at) => cell.trim() !== '' && !hasNumber(first, at) && others.every((row) => hasNumber(row, at)),
  );
  return explained.length < 2 || first.cells.some((_, at) => hasNumber(first, at))
    ? undefined
    : startOf(first);
};
