import { type AnyCell, shownValue } from './cell.ts';
import { ruleOf } from './format.ts';
import type { Column, FilledSheet } from './sheet.ts';

/** Space for a flag's sign and the cell's own margins, in characters. */
const MARGIN = 2;
const WIDTH_MAX = 110;
/** Space that the bold type adds to a title; the filter button has a line of its own below it. */
export const TITLE_MARGIN = 1.5;

export type ColumnFit = {
  /** Width in characters. */
  readonly width: number;
  readonly wrap: boolean;
};

/**
 * Computes the width of each column. Figures are never cut off: their columns grow to fit the longest figure and the
 * total. Text columns keep their defined width and wrap, as do all columns of streamed rows, which are not known yet.
 *
 * @param room Widths of the tables above on the same sheet, which text columns keep to
 */
export const fitColumns = (filled: FilledSheet, room: readonly number[] = []): ColumnFit[] => {
  const longest = measure(filled);
  return filled.sheet.columns.map((column, index) => {
    const figures = Math.max(longest[index]?.figures ?? 0, leastWidth(column));
    const given = room[index];
    const asked = given !== undefined && isProse(column.format) ? given : column.width;
    const width = Math.max(given ?? 0, Math.min(WIDTH_MAX, Math.max(asked, figures)));
    return { width, wrap: column.wrap ?? (longest[index]?.text ?? 0) > width };
  });
};

/** The smallest width at which no word of the title is broken. */
const leastWidth = ({ title }: Column<unknown>): number =>
  Math.max(...title.split(' ').map(({ length }) => length)) + TITLE_MARGIN;

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

/** Pairs a cell with its format, which comes from the column or, in a mixed column, from the cell. */
export const typedCell = (
  column: Column<unknown>,
  row: unknown,
): { readonly format: AnyCell['format']; readonly value: unknown } | undefined =>
  column.format === 'mixed' ? column.value(row) : { format: column.format, value: column.value(row) };
