import type { Flag } from './cell.ts';
import { ALL_FORMATS, type Format } from './format.ts';
import type { Column } from './sheet.ts';

/** Flags a cell can carry, the unflagged cell first. */
export const TEMPLATE_FLAGS: readonly (Flag | undefined)[] = [undefined, 'attention', 'good'];

/** Formats the cells of a column can have. */
export const formatsOf = (column: Column<unknown>): readonly Format[] =>
  column.format === 'mixed' ? ALL_FORMATS : [column.format];

/**
 * A table's template has one row for each format and flag, in which every column that can have that format shows its
 * style; the rows are taken out again when the real ones go in. Counted from `PlacedTable.templateRow`.
 */
export const templateRow = (formatIndex: number, flag: Flag | undefined): number =>
  1 + formatIndex * TEMPLATE_FLAGS.length + TEMPLATE_FLAGS.indexOf(flag);

/** The row after all those, which shows the styles of the totals; as many rows the template has. */
export const templateRows = (columns: readonly Column<unknown>[]): number =>
  1 + TEMPLATE_FLAGS.length * Math.max(...columns.map((column) => formatsOf(column).length));
