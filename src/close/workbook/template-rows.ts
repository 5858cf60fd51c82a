import type { Flag } from './cell.ts';
import { ALL_FORMATS, type Format } from './format.ts';
import type { Column } from './sheet.ts';

/** The flags that a cell can have, no flag first. */
export const TEMPLATE_FLAGS: readonly (Flag | undefined)[] = [undefined, 'attention', 'good'];

/** Returns the formats that the cells of a column can have. */
export const formatsOf = (column: Column<unknown>): readonly Format[] =>
  column.format === 'mixed' ? ALL_FORMATS : [column.format];

/**
 * The template of a table has one row for each combination of format and flag. In it, every column that can have that
 * format shows its style. The real rows replace the template rows. Counted from `PlacedTable.templateRow`.
 */
export const templateRow = (formatIndex: number, flag: Flag | undefined): number =>
  1 + formatIndex * TEMPLATE_FLAGS.length + TEMPLATE_FLAGS.indexOf(flag);

/** The number of template rows, which is also the position of the last one, with the styles of the totals. */
export const templateRows = (columns: readonly Column<unknown>[]): number =>
  1 + TEMPLATE_FLAGS.length * Math.max(...columns.map((column) => formatsOf(column).length));
