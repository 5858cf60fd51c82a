import type { Flag } from './cell.ts';
import { formulaXml } from './cell-xml.ts';
import type { Format } from './format.ts';
import type { PlacedTable } from './layout.ts';
import type { References } from './references.ts';
import type { SheetFrame } from './sheet-frame.ts';
import { formatsOf, TEMPLATE_FLAGS } from './template-rows.ts';

/** Widths count digits, and the letters of prose are narrower; the cell's indent takes one of them. */
const LETTERS_PER_DIGIT = 1.1;
const INDENT = 1;

/** How the rows of one sheet are written, whatever stands in them: plain data, which other threads can be handed. */
export type RowLook = {
  readonly sheetName: string;
  readonly columns: readonly ColumnLook[];
};

export type ColumnLook = {
  /** By the format of the cell. */
  readonly styles: Readonly<Partial<Record<Format, FlagStyles>>>;
  /** The column's formula as each of its cells carries it; empty without one. */
  readonly formula: string;
  /** Letters of a line, where text flows over several lines. */
  readonly lineLength: number | undefined;
};

/** Numbers of styles. */
export type FlagStyles = { readonly [F in Flag | 'plain']: string };

export const rowLook = (placed: PlacedTable, frame: SheetFrame, at: References): RowLook => ({
  sheetName: placed.sheetName,
  columns: placed.source.sheet.columns.map((column, index) => {
    const fit = placed.fits[index];
    return {
      styles: Object.fromEntries(
        formatsOf(column).map((format) => [format, flagStyles(frame, index, format)]),
      ),
      formula: column.formula ? formulaXml(column.formula(at)) : '',
      lineLength: fit?.wrap ? Math.floor(fit.width * LETTERS_PER_DIGIT) - INDENT : undefined,
    };
  }),
});

const flagStyles = (frame: SheetFrame, column: number, format: Format): FlagStyles => {
  const [plain = '', attention = '', good = ''] = TEMPLATE_FLAGS.map((flag) =>
    frame.styleOf(column, format, flag),
  );
  return { plain, attention, good };
};
