import { DefectError } from '../../kernel/errors.ts';
import type { Flag } from './cell.ts';
import type { Format } from './format.ts';
import type { PlacedTable } from './layout.ts';
import { columnLetter } from './spreadsheet-name.ts';
import { formatsOf, templateRow, templateRows } from './template-rows.ts';

/** The XML that exceljs wrote for a table, split so that the real rows can be inserted. */
export type TableFrame = {
  /** The XML before the rows: from the start of the sheet, or from the end of the table above. */
  readonly head: string;
  /** Number of the style of a cell, by column (counting from 0), format and flag. */
  styleOf(column: number, format: Format, flag: Flag | undefined): string;
  totalStyleOf(column: number): string;
};

/** The XML of a sheet of tables, split at its rows. */
export type SheetFrame = {
  readonly tables: readonly TableFrame[];
  /** The XML after the last rows. */
  readonly tail: string;
};

const SHEET_DATA = /<sheetData>(.*)<\/sheetData>/s;
const ROW = /<row r="(\d+)"[^>]*?(?:\/>|>.*?<\/row>)/gs;
const STYLED_CELL = /<c r="([A-Z]+\d+)" s="(\d+)"/g;
const DIMENSION = /<dimension ref="[^"]*"\/>/;

/** @throws {DefectError} when the template lacks an expected part. */
export const takeFrame = (xml: string, tables: readonly PlacedTable[]): SheetFrame => {
  const data = SHEET_DATA.exec(xml);
  if (!data) throw new DefectError(`the sheet ${tables[0]?.sheetName} was written without rows`);
  const rows = [...(data[1] ?? '').matchAll(ROW)].map(([row, number]) => ({ row, number: Number(number) }));
  const firstTemplate = Math.min(...tables.map((table) => table.templateRow));
  const styles = new Map(
    rows
      .filter(({ number }) => number > firstTemplate)
      .flatMap(({ row }) => [...row.matchAll(STYLED_CELL)].map(([, address, style]) => [address, style])),
  );
  const headOf = ({ headerRow }: PlacedTable, index: number): string => {
    const above = tables[index - 1]?.lastRow ?? 0;
    return rows
      .filter(({ number }) => number > above && number <= headerRow)
      .map(({ row }) => row)
      .join('');
  };
  const width = Math.max(...tables.map(({ source }) => source.sheet.columns.length));
  const last = tables.at(-1);
  const corner = `${columnLetter(width)}${last?.totalRow ?? last?.lastRow}`;
  const before = xml.slice(0, data.index).replace(DIMENSION, `<dimension ref="A1:${corner}"/>`);
  return {
    tables: tables.map((table, index) => ({
      head: `${index === 0 ? `${before}<sheetData>` : ''}${headOf(table, index)}`,
      ...stylesOf(table, styles),
    })),
    tail: `</sheetData>${xml.slice(data.index + data[0].length)}`,
  };
};

const stylesOf = (
  { source, sheetName, templateRow: start }: PlacedTable,
  styles: ReadonlyMap<string | undefined, string | undefined>,
): Pick<TableFrame, 'styleOf' | 'totalStyleOf'> => {
  const { columns } = source.sheet;
  const styleAt = (column: number, row: number): string => {
    const style = styles.get(`${columnLetter(column + 1)}${start + row}`);
    if (style === undefined) throw new DefectError(`${sheetName} lacks a style in column ${column + 1}`);
    return style;
  };
  return {
    styleOf: (column, format, flag) => {
      const formats = columns[column] ? formatsOf(columns[column]) : [];
      return styleAt(column, templateRow(formats.indexOf(format), flag));
    },
    totalStyleOf: (column) => styleAt(column, templateRows(columns)),
  };
};
