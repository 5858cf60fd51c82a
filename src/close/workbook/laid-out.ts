import type { AnyCell, Link } from './cell.ts';
import type { Tone } from './palette.ts';
import type { Placing } from './sheet.ts';

/** A file next to the workbook, and optionally a cell in it: `upload/PA.csv`, `variance.xlsx#Decide!A1`. */
export type FileLink = { readonly file: string };

/** A cell of a laid-out sheet. */
export type GridCell = AnyCell & {
  readonly bold?: boolean;
  readonly grey?: boolean;
  /** The colour of a status; the sign and the word are part of the value. */
  readonly tone?: Tone;
  readonly link?: Link | FileLink;
  /** Fixed text after a number, such as the time zone after an hour. */
  readonly suffix?: string;
};

/**
 * One row: `band` heads the rows below it, `working` is an intermediate step, `result` and `total` close the rows
 * above, and the text of a `note` overflows into the blank cells beside it.
 */
export type GridRow = {
  readonly kind?: 'band' | 'note' | 'working' | 'subtotal' | 'result' | 'total';
  /** Cells by column, starting at the first; a column without a cell stays blank. */
  readonly cells: readonly (GridCell | undefined)[];
};

export type GridColumn = {
  /** Header, and name in formulas; empty for a column without a header. */
  readonly title: string;
  readonly align?: 'left' | 'right';
};

/** A plain table of a laid-out sheet, in the sheet's own columns. */
export type Grid = {
  readonly heading?: string;
  /** Name in formulas, and defined name of the range of header and rows. */
  readonly name?: string;
  /** Without a header, the columns only name the cells for formulas. */
  readonly hasHeader: boolean;
  readonly columns: readonly GridColumn[];
  readonly rows: readonly GridRow[];
  /** Totals below the rows, not part of the named range. */
  readonly totals?: readonly GridRow[];
};

/** A key figure at the top of a sheet: a label, the figure and a remark. */
export type Card = {
  /** First column of the card, counting from 0; it ends where the next card begins. */
  readonly column: number;
  readonly label: string;
  readonly value: GridCell;
  readonly remark: GridCell;
  /** Whether the card has the fill colour of a period that is not ready. */
  readonly isAlarm?: boolean;
};

/**
 * A sheet arranged for reading: cards, then plain tables one below the other that share their columns. All of its rows
 * are in memory. Formulas refer to its tables as to any other.
 */
export type LaidOutSheet = Placing & {
  readonly kind: 'laid-out';
  readonly name: string;
  readonly title: string;
  readonly subtitle: string;
  readonly orientation: 'landscape' | 'portrait';
  readonly widths: readonly number[];
  readonly cards: readonly Card[];
  /** A line of text between the cards and the first table. */
  readonly lead?: string;
  readonly grids: readonly Grid[];
  /** Remarks at the end of the sheet. */
  readonly findings: readonly string[];
  /** Columns that stay visible, as does the header of the first table. */
  readonly freeze?: { readonly columns: number };
};

export const laidOut = (sheet: Omit<LaidOutSheet, 'kind'>): LaidOutSheet => ({ kind: 'laid-out', ...sheet });

/** Builds a text cell, plain or with a style of its own. */
export const text = (
  value: string | undefined,
  looks: Omit<GridCell, 'format' | 'value'> = {},
): GridCell => ({ format: 'text', value, ...looks });
