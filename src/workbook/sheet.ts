import type { Cell, Flag, References } from './cell.ts';
import type { Format } from './format.ts';
import { tableNameOf } from './text.ts';

type ColumnTraits<Row> = {
  /** Header of the column, and its name in formulas. */
  readonly title: string;
  /** Width in characters; wider if figures need it. */
  readonly width: number;
  /** One live formula for the whole column; `value` then provides its cached result. */
  readonly formula?: (at: References) => string;
  /** The total under the column, which follows the filter. */
  readonly total?: 'sum';
  /** A flag, decided when the sheet is written. */
  flag?(row: Row): Flag | undefined;
  /** Wraps long text instead of cutting it off. Automatic if the rows are in memory. */
  readonly wrap?: boolean;
};

// Methods, not function properties, so that a sheet of a specific row type is also a sheet of unknown rows.
type FormattedColumn<Row, F extends Format> = { readonly format: F; value(row: Row): Cell<F> };

/** One column of a table. The type of `value` follows from `format`. */
export type Column<Row> = ColumnTraits<Row> & { [F in Format]: FormattedColumn<Row, F> }[Format];

/** A sheet with one table: a title and notes, the header, rows, totals. */
export type TableSheet<Row> = {
  /** Name on the tab, up to 31 characters. */
  readonly name: string;
  /** Heading of the sheet; its name if omitted. */
  readonly title?: string;
  readonly note?: string;
  /** Says why the table has no rows, if it has none; without it, books leave such a table out. */
  readonly empty?: string;
  /** Name of the table in formulas; derived from the sheet's name if omitted. */
  readonly table?: string;
  /** Columns that stay visible; the header always does. */
  readonly freeze?: { readonly columns: number };
  /** The column with the number of items that each row counts for; one if omitted. */
  readonly countedBy?: string;
  /** The first column identifies the row and is never blank. */
  readonly columns: readonly Column<Row>[];
};

/** Rows of a table that are read once, page by page, in any number. */
export type RowPages<Row> = Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>;

/** Such rows with their exact number. */
export type CountedPages<Row> = { readonly count: number; readonly pages: RowPages<Row> };

/** A table sheet with its rows. */
export type FilledSheet = {
  readonly sheet: TableSheet<unknown>;
  readonly table: string;
  readonly count: number;
  readonly pages: RowPages<unknown>;
  /** The same rows, if they are in memory and can be read twice. */
  readonly rows: readonly unknown[] | undefined;
};

/** The tables of one sheet, one below the other, each under its own title. The sheet has the name and the columns of the first. */
export type SheetTables = readonly [FilledSheet, ...FilledSheet[]];

/** Defines a sheet; the type of each column's value follows from its format. */
export const defineSheet = <Row>(sheet: TableSheet<Row>): TableSheet<Row> => sheet;

/** Builds a table sheet whose rows are in memory; column widths are fitted to them. */
export const filled = <Row>(sheet: TableSheet<Row>, rows: readonly Row[]): FilledSheet => ({
  ...streamed(sheet, { count: rows.length, pages: [rows] }),
  rows,
});

/** Builds a table sheet whose rows are streamed. */
export const streamed = <Row>(sheet: TableSheet<Row>, { count, pages }: CountedPages<Row>): FilledSheet => ({
  sheet,
  table: sheet.table ?? tableNameOf(sheet.name),
  count,
  pages,
  rows: undefined,
});
