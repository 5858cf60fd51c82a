import { DefectError } from '../../kernel/errors.ts';
import type { Flag } from './cell.ts';
import { columnLetter } from './column-letter.ts';
import type { Format } from './format.ts';
import type { PlacedTable } from './layout.ts';
import { formatsOf, templateRow, templateTotalRow } from './template-rows.ts';

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
