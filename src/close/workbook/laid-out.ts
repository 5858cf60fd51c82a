import type { AnyCell, Link } from './cell.ts';
import type { Tone } from './palette.ts';
import type { Placing } from './sheet.ts';
import { checkDefinedName, checkSheetName, checkTitles } from './spreadsheet-name.ts';

/** A file beside the workbook, and a cell in it: `upload/PA.csv`, `variance.xlsx#Decide!A1`. */
export type FileLink = { readonly file: string };

/** A cell of a laid-out sheet. */
export type GridCell = AnyCell & {
  readonly bold?: boolean;
  readonly grey?: boolean;
  /** A status: its sign and word stand in the value. */
  readonly tone?: Tone;
  /** For the reader to fill in; one of these words where there are any. */
  readonly input?: true | readonly string[];
  readonly link?: Link | FileLink;
  /** Fixed text after a number, such as the time zone after an hour. */
  readonly suffix?: string;
};

/**
 * One row: `band` heads the rows below it, `working` is a step in between, `result` and `total` close what is above, and
 * a `note` runs on over the blank cells beside it.
 */
export type GridRow = {
  readonly kind?: 'band' | 'note' | 'working' | 'subtotal' | 'result' | 'total';
  /** By column from the first; a column without a cell stays blank. */
  readonly cells: readonly (GridCell | undefined)[];
};

export type GridColumn = {
  /** Header, and name in formulas; empty where nothing stands. */
  readonly title: string;
  readonly align?: 'left' | 'right';
};

/** A plain table of a laid-out sheet, in the sheet's own columns. */
export type Grid = {
  readonly heading?: string;
  /** Name in formulas, and the defined name of the header with the rows. */
  readonly name?: string;
  /** Without a header the columns only name the cells. */
  readonly hasHeader: boolean;
  readonly columns: readonly GridColumn[];
  readonly rows: readonly GridRow[];
  /** Below the rows, and no part of the named range. */
  readonly totals?: readonly GridRow[];
};

/** A figure on top of a sheet: what it is, the figure, and a remark. */
export type Card = {
  /** Column in which it begins, counting from 0; it ends where the next one begins. */
  readonly column: number;
  readonly label: string;
  readonly value: GridCell;
  readonly remark: GridCell;
  /** Filled with the colour of what is not ready. */
  readonly isAlarm?: boolean;
};

/**
 * A sheet that is arranged for reading: cards, then plain tables one below the other in one set of columns. All of its
 * rows are in memory. Formulas refer to its tables as to any other.
 */
export type LaidOutSheet = Placing & {
  readonly kind: 'laid-out';
  readonly name: string;
  readonly title: string;
  readonly subtitle: string;
  readonly orientation: 'landscape' | 'portrait';
  readonly widths: readonly number[];
  readonly cards: readonly Card[];
  /** A line between the cards and the first table. */
  readonly lead?: string;
  readonly grids: readonly Grid[];
  /** Remarks below everything else. */
  readonly findings: readonly string[];
  /** Columns that stay in sight with the header of the first table. */
  readonly freeze?: { readonly columns: number };
};

/** @throws {DefectError} when Excel would refuse a name or title. */
export const laidOut = (sheet: Omit<LaidOutSheet, 'kind'>): LaidOutSheet => {
  checkSheetName(sheet.name);
  for (const { name, columns } of sheet.grids) {
    if (name !== undefined) checkDefinedName(name);
    checkTitles(columns.map(({ title }) => title).filter((title) => title !== ''));
  }
  return { kind: 'laid-out', ...sheet };
};

/** A cell of text, plain or with looks of its own. */
export const text = (
  value: string | undefined,
  looks: Omit<GridCell, 'format' | 'value'> = {},
): GridCell => ({ format: 'text', value, ...looks });
