import { type AnyCell, shownValue } from './cell.ts';
import { ruleOf } from './format.ts';
import type { Column, FilledSheet } from './sheet.ts';

/** Room for the sign of a flag and the cell's own margins, in characters. */
const MARGIN = 3;
const WIDTH_MAX = 110;
/** What the button of the filter and the bold type take from a title. */
export const TITLE_MARGIN = 4;

export type ColumnFit = {
  /** In characters. */
  readonly width: number;
  readonly wrap: boolean;
};

/**
 * How wide each column is drawn. Figures are never cut, so their columns grow to the longest of them and of their
 * sum; text keeps the width it was given and flows over lines. Streamed rows have not been seen: their figures get
 * what the format usually needs.
 *
 * @param room widths of the tables above on the same sheet, to which text keeps
 */
export const fitColumns = (filled: FilledSheet, room: readonly number[] = []): ColumnFit[] => {
  const longest = measure(filled);
  return filled.sheet.columns.map((column, index) => {
    const figures = Math.max(longest[index]?.figures ?? 0, leastWidth(column, filled.rows === undefined));
    const given = room[index];
    const asked = given !== undefined && isProse(column.format) ? given : column.width;
    const width = Math.max(given ?? 0, Math.min(WIDTH_MAX, Math.max(asked, figures)));
    return { width, wrap: column.wrap ?? (longest[index]?.text ?? 0) > width };
  });
};

/** No title is broken within a word. */
const leastWidth = ({ format, title }: Column<unknown>, isUnseen: boolean): number => {
  const longestWord = Math.max(...title.split(' ').map(({ length }) => length));
  const usual = !isUnseen || format === 'mixed' || isProse(format) ? 0 : ruleOf(format).widthMin;
  return Math.max(usual, longestWord + TITLE_MARGIN);
};

const isProse = (format: string): boolean => format === 'text';

type Longest = { figures: number; text: number; sum: number };

const measure = ({ sheet, rows = [] }: FilledSheet): Longest[] => {
  const longest = sheet.columns.map(() => ({ figures: 0, text: 0, sum: 0 }));
  for (const row of rows) {
    sheet.columns.forEach((column, index) => {
      const seen = longest[index];
      const cell = typedCell(column, row);
      const value = shownValue(cell?.value);
      if (!seen || !cell || value === undefined) return;
      const { length } = ruleOf(cell.format).show(value);
      if (isProse(cell.format)) seen.text = Math.max(seen.text, length);
      else seen.figures = Math.max(seen.figures, length + MARGIN);
      if (column.total === 'sum') seen.sum += Number(value);
    });
  }
  sheet.columns.forEach((column, index) => {
    const seen = longest[index];
    if (!seen || column.total !== 'sum' || column.format === 'mixed') return;
    seen.figures = Math.max(seen.figures, ruleOf(column.format).show(seen.sum).length + MARGIN);
  });
  return longest;
};

/** A cell together with its format, whether the column or the cell names it. */
export const typedCell = (
  column: Column<unknown>,
  row: unknown,
): { readonly format: AnyCell['format']; readonly value: unknown } | undefined =>
  column.format === 'mixed' ? column.value(row) : { format: column.format, value: column.value(row) };
