import type { Grid, GridRow, LaidOutSheet } from './laid-out.ts';
import type { TableShape } from './references.ts';
import { columnLetter, quotedSheetName } from './spreadsheet-name.ts';
import { textLines } from './text-lines.ts';

/** A plain table with the positions of its rows; rows count from 1. */
export type PlacedGrid = {
  readonly grid: Grid;
  readonly headingRow: number | undefined;
  readonly headerRow: number | undefined;
  readonly firstRow: number;
  /** A table has at least one row, even if it is blank. */
  readonly lastRow: number;
  /** Its rows and totals with their row numbers. */
  readonly rows: readonly (readonly [rowNumber: number, row: GridRow])[];
};

export type PlacedLaidOut = {
  readonly kind: 'laid-out';
  readonly source: LaidOutSheet;
  readonly sheetName: string;
  readonly cardsRow: number | undefined;
  /** The text between cards and tables, in lines as wide as the sheet, and the row of the first. */
  readonly lead: { readonly row: number; readonly lines: readonly string[] } | undefined;
  readonly grids: readonly PlacedGrid[];
  readonly remarksRow: number;
};

const BLANK: GridRow = { cells: [] };

/** Places the title and subtitle, a blank row, the cards, the line below them, and the tables, a blank row apart. */
export const placeLaidOut = (source: LaidOutSheet): PlacedLaidOut => {
  const cardsRow = source.cards.length > 0 ? 4 : undefined;
  let row = cardsRow === undefined ? 4 : 8;
  const width = source.widths.reduce((sum, each) => sum + each, 0);
  const lead = source.lead === undefined ? undefined : { row: row - 1, lines: textLines(source.lead, width) };
  row += Math.max(0, (lead?.lines.length ?? 0) - 1);
  const grids = source.grids.map((grid): PlacedGrid => {
    const headingRow = grid.heading === undefined ? undefined : row++;
    const headerRow = grid.hasHeader ? row++ : undefined;
    const firstRow = row;
    const rows = [...(grid.rows.length > 0 ? grid.rows : [BLANK]), ...(grid.totals ?? [])];
    const placed = rows.map((each): [number, GridRow] => [row++, each]);
    row += 1;
    const lastRow = firstRow + Math.max(1, grid.rows.length) - 1;
    return { grid, headingRow, headerRow, firstRow, lastRow, rows: placed };
  });
  return { kind: 'laid-out', source, sheetName: source.name, cardsRow, lead, grids, remarksRow: row };
};

/** The range of a named table, header and rows, for its defined name. */
export const gridRange = (sheetName: string, { grid, headerRow, firstRow, lastRow }: PlacedGrid): string =>
  `${quotedSheetName(sheetName)}!$A$${headerRow ?? firstRow}:$${columnLetter(grid.columns.length)}$${lastRow}`;

/** The shapes of a sheet's named tables, for formulas, by name. */
export const gridShapes = ({ sheetName, grids }: PlacedLaidOut): readonly (readonly [string, TableShape])[] =>
  grids.flatMap((placed): [string, TableShape][] => {
    const { grid, firstRow, lastRow } = placed;
    if (grid.name === undefined) return [];
    const letterOf = (title: string): string =>
      columnLetter(grid.columns.findIndex((column) => column.title === title) + 1);
    const shape: TableShape = {
      columns: new Map(grid.columns.map(({ title }) => [title, 'mixed'])),
      rangeOf: (title) =>
        `${quotedSheetName(sheetName)}!$${letterOf(title)}$${firstRow}:$${letterOf(title)}$${lastRow}`,
      addressOf: (title, row) =>
        row < 0 || row > lastRow - firstRow
          ? undefined
          : `${quotedSheetName(sheetName)}!$${letterOf(title)}$${firstRow + row}`,
    };
    return [[grid.name, shape]];
  });
