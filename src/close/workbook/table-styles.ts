import type { Style } from 'exceljs';
import type { Flag } from './cell.ts';
import { cellStyle, totalStyle } from './cell-style.ts';
import { ALL_FORMATS, type Format } from './format.ts';
import type { PlacedTable } from './layout.ts';

/** The numbers of the styles of a table's cells in its workbook. */
export type TableStyles = {
  /** By column, counting from 0. */
  of(column: number, format: Format, flag: Flag | undefined): string;
  ofTotal(column: number): string;
};

const FLAGS: readonly (Flag | undefined)[] = [undefined, 'attention', 'good'];

/** @param numberOf Numbers a style in the workbook; it must be called before the styles are written */
export const tableStyles = (
  { source, fits }: PlacedTable,
  numberOf: (style: Partial<Style>) => number,
): TableStyles => {
  const cells = source.sheet.columns.map(({ format, link }, index) => {
    const traits = {
      wrap: fits[index]?.wrap ?? false,
      link: link !== undefined,
    };
    const formats = format === 'mixed' ? ALL_FORMATS : [format];
    return new Map(
      formats.map((each) => [each, FLAGS.map((flag) => numberOf(cellStyle(each, { ...traits, flag })))]),
    );
  });
  const totals = source.sheet.columns.map(({ format, total }) =>
    numberOf(totalStyle(total === 'count' ? 'count' : format === 'mixed' ? 'text' : format)),
  );
  return {
    of: (column, format, flag) => String(cells[column]?.get(format)?.[FLAGS.indexOf(flag)]),
    ofTotal: (column) => String(totals[column]),
  };
};
