import { DefectError } from '../../kernel/errors.ts';
import type { Flag } from './cell.ts';
import { ALL_FORMATS, type Format } from './format.ts';
import type { PlacedTable } from './layout.ts';
import type { Column } from './sheet.ts';
import { columnLetter } from './spreadsheet-name.ts';

/** Flags a cell can carry, the unflagged cell first. */
export const TEMPLATE_FLAGS: readonly (Flag | undefined)[] = [undefined, 'attention', 'good'];

/** Formats the cells of a column can have. */
export const formatsOf = (column: Column<unknown>): readonly Format[] =>
  column.format === 'mixed' ? ALL_FORMATS : [column.format];

/**
 * A table's template has, below its header, one row for each format and flag, in which every column that can have
 * that format shows its style; the rows are taken out again when the real ones go in. Counted from the header.
 */
export const templateRow = (formatIndex: number, flag: Flag | undefined): number =>
  1 + formatIndex * TEMPLATE_FLAGS.length + TEMPLATE_FLAGS.indexOf(flag);

/** The row after all those, which shows the styles of the totals. */
export const templateTotalRow = (columns: readonly Column<unknown>[]): number =>
  1 + TEMPLATE_FLAGS.length * Math.max(...columns.map((column) => formatsOf(column).length));

/** What exceljs wrote of a table's sheet, taken apart so that the rows can go in between. */
export type SheetFrame = {
  /** Up to and including the header row. */
  readonly head: string;
  /** From the end of the rows on. */
  readonly tail: string;
  /** Number of the style of a cell, by column from 0, format and flag. */
  styleOf(column: number, format: Format, flag: Flag | undefined): string;
  totalStyleOf(column: number): string;
};

const SHEET_DATA = /<sheetData>(.*)<\/sheetData>/s;
const ROW = /<row r="(\d+)"[^>]*?(?:\/>|>.*?<\/row>)/gs;
const STYLED_CELL = /<c r="([A-Z]+\d+)" s="(\d+)"/g;
const DIMENSION = /<dimension ref="[^"]*"\/>/;

/** @throws {DefectError} when the template does not hold what it should. */
export const takeFrame = (xml: string, placed: PlacedTable): SheetFrame => {
  const data = SHEET_DATA.exec(xml);
  if (!data) throw new DefectError(`the sheet ${placed.sheetName} was written without rows`);
  const kept: string[] = [];
  const styles = new Map<string, string>();
  for (const [row, number] of (data[1] ?? '').matchAll(ROW)) {
    if (Number(number) <= placed.headerRow) kept.push(row);
    else for (const [, address = '', style = ''] of row.matchAll(STYLED_CELL)) styles.set(address, style);
  }
  const { columns } = placed.source.sheet;
  const styleAt = (column: number, row: number): string => {
    const style = styles.get(`${columnLetter(column + 1)}${placed.headerRow + row}`);
    if (style === undefined)
      throw new DefectError(`${placed.sheetName} lacks a style in column ${column + 1}`);
    return style;
  };
  const lastCell = `${columnLetter(columns.length)}${placed.totalRow ?? placed.lastRow}`;
  const before = xml.slice(0, data.index).replace(DIMENSION, `<dimension ref="A1:${lastCell}"/>`);
  return {
    head: `${before}<sheetData>${kept.join('')}`,
    tail: `</sheetData>${xml.slice(data.index + data[0].length)}`,
    styleOf: (column, format, flag) => {
      const formats = columns[column] ? formatsOf(columns[column]) : [];
      return styleAt(column, templateRow(formats.indexOf(format), flag));
    },
    totalStyleOf: (column) => styleAt(column, templateTotalRow(columns)),
  };
};
