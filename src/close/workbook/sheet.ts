import { DefectError } from '../../kernel/errors.ts';
import type { AnyCell, Cell, Flag, FlagConditions, Link } from './cell.ts';
import type { Format } from './format.ts';
import type { Tab } from './palette.ts';
import type { References } from './references.ts';
import {
  checkChoices,
  checkDefinedName,
  checkSheetName,
  checkTitles,
  tableNameOf,
} from './spreadsheet-name.ts';

type ColumnTraits<Row> = {
  /** Header of the column, and its name in formulas. */
  readonly title: string;
  /** Width in characters; wider if figures need it. */
  readonly width: number;
  /** The meaning of the column, shown when the pointer rests on its header. */
  readonly note?: string;
  /** One live formula for the whole column; `value` then provides its cached result. */
  readonly formula?: (at: References) => string;
  /** The total under the column, which follows the filter. */
  readonly total?: 'sum' | 'count';
  /** Defined name of the total's cell. */
  readonly totalName?: string;
  /** A flag that is decided when the sheet is written. */
  flag?(row: Row): Flag | undefined;
  /** Flags that follow the cell's value when it is recalculated. */
  readonly flagWhen?: FlagConditions;
  link?(row: Row): Link | undefined;
  /** A column for the reviewer: unlocked, with free text or a choice of these words. */
  readonly review?: 'free' | readonly string[];
  /** Wraps long text instead of cutting it off. Automatic if the rows are in memory. */
  readonly wrap?: boolean;
};

// Methods, not function properties, so that a sheet of a specific row type is also a sheet of unknown rows.
type FormattedColumn<Row, F extends Format> = { readonly format: F; value(row: Row): Cell<F> };
type MixedColumn<Row> = { readonly format: 'mixed'; value(row: Row): AnyCell | undefined };

/** One column of a table. The type of `value` follows from `format`. */
export type Column<Row> = ColumnTraits<Row> &
  ({ [F in Format]: FormattedColumn<Row, F> }[Format] | MixedColumn<Row>);

/** A labelled value above a table or on a text sheet, such as a parameter or an overall result. */
export type Line = {
  readonly label: string;
  readonly value: AnyCell;
  readonly note?: string;
  /** Defined name of the value's cell. */
  readonly name?: string;
  readonly flagWhen?: FlagConditions;
  readonly link?: Link;
};

/** A sheet with one table: a title and notes, the header, rows, totals. */
export type TableSheet<Row> = {
  /** Name on the tab, up to 31 characters. */
  readonly name: string;
  /** Heading of the sheet; its name if omitted. */
  readonly title?: string;
  readonly note?: string;
  /** Says why the table has no rows, if it has none; general words if omitted. */
  readonly empty?: string;
  /** Name of the table in formulas; derived from the sheet's name if omitted. */
  readonly table?: string;
  readonly lines?: readonly Line[];
  /** Columns that stay visible; the header always does. */
  readonly freeze?: { readonly columns: number };
  /** Number of pages side by side, with the frozen columns repeated on each; one if omitted. */
  readonly pagesWide?: number;
  /** Protects against accidental edits, without a password; by default if a column is computed. */
  readonly protect?: boolean;
  /** The column with the number of items that each row counts for; one if omitted. */
  readonly countedBy?: string;
  /** The first column identifies the row and is never blank. */
  readonly columns: readonly Column<Row>[];
};

/** A block of a text sheet, in order from top to bottom. */
export type Block =
  | { readonly heading: string }
  | { readonly paragraph: string }
  | { readonly lines: readonly Line[] };

/** The position of a sheet in its workbook. */
export type Placing = {
  readonly tab?: Tab;
  /** The reference that people and other sheets use for it: `F3.TX`. */
  readonly reference?: string;
};

/** A text sheet: headings, paragraphs, labelled values. */
export type TextSheet = Placing & {
  readonly kind: 'text';
  readonly name: string;
  readonly title: string;
  readonly blocks: readonly Block[];
};

export const textSheet = (sheet: Omit<TextSheet, 'kind'>): TextSheet => {
  checkSheetName(sheet.name);
  return { kind: 'text', ...sheet };
};

/** Rows of a table that are read once, page by page, in any number. */
export type RowPages<Row> = Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>;

/** Such rows with their exact number. */
export type CountedPages<Row> = { readonly count: number; readonly pages: RowPages<Row> };

/** A table sheet with its rows. */
export type FilledSheet = Placing & {
  readonly kind: 'table';
  readonly sheet: TableSheet<unknown>;
  readonly table: string;
  readonly count: number;
  readonly pages: RowPages<unknown>;
  /** The same rows, if they are in memory and can be read twice. */
  readonly rows: readonly unknown[] | undefined;
  /** Further tables on the same sheet, one below the other, each under its own title. */
  readonly below?: readonly FilledSheet[];
};

const SUMMABLE: ReadonlySet<string> = new Set(['money', 'price', 'count']);

/** @throws {DefectError} when Excel would refuse a name or title, or a column asks for something it cannot do. */
export const defineSheet = <Row>(sheet: TableSheet<Row>): TableSheet<Row> => {
  checkSheetName(sheet.name);
  checkDefinedName(sheet.table ?? tableNameOf(sheet.name));
  checkTitles(sheet.columns.map(({ title }) => title));
  for (const { title, total, format, totalName, review } of sheet.columns) {
    if (review !== undefined && review !== 'free') checkChoices(review);
    if (total === 'sum' && !SUMMABLE.has(format)) {
      throw new DefectError(`${title} holds ${format} values, which have no sum`);
    }
    if (totalName !== undefined) checkDefinedName(totalName);
  }
  const first = sheet.columns[0];
  if (first?.total !== undefined)
    throw new DefectError(`${first.title} is the first column: it labels the totals`);
  return sheet;
};

/** Builds a table sheet whose rows are in memory; column widths are fitted to them. */
export const filled = <Row>(sheet: TableSheet<Row>, rows: readonly Row[]): FilledSheet => ({
  kind: 'table',
  sheet,
  table: sheet.table ?? tableNameOf(sheet.name),
  count: rows.length,
  pages: [rows],
  rows,
});

/** Stacks further tables below a table sheet, in the columns of the first. */
export const stacked = (first: FilledSheet, below: readonly FilledSheet[]): FilledSheet => ({
  ...first,
  below,
});

/** Builds a table sheet whose rows are streamed. */
export const streamed = <Row>(sheet: TableSheet<Row>, { count, pages }: CountedPages<Row>): FilledSheet => ({
  kind: 'table',
  sheet,
  table: sheet.table ?? tableNameOf(sheet.name),
  count,
  pages,
  rows: undefined,
});
