import { DefectError } from '../../kernel/errors.ts';
import type { PlacedTable } from './layout.ts';
import { columnLetter } from './spreadsheet-name.ts';

/** The XML of a sheet of tables as exceljs wrote it, split where the tables' rows belong. */
export type SheetFrame = {
  /** For each table, the XML before its rows: from the start of the sheet, or from the end of the table above. */
  readonly heads: readonly string[];
  /** The XML after the last rows. */
  readonly tail: string;
};

const SHEET_DATA = /<sheetData>(.*)<\/sheetData>/s;
const ROW = /<row r="(\d+)"[^>]*?(?:\/>|>.*?<\/row>)/gs;
const DIMENSION = /<dimension ref="[^"]*"\/>/;

/** @throws {DefectError} when the sheet lacks an expected part. */
export const takeFrame = (xml: string, tables: readonly PlacedTable[]): SheetFrame => {
  const data = SHEET_DATA.exec(xml);
  if (!data) throw new DefectError(`the sheet ${tables[0]?.sheetName} was written without rows`);
  const rows = [...(data[1] ?? '').matchAll(ROW)].map(([row, number]) => ({ row, number: Number(number) }));
  const width = Math.max(...tables.map(({ source }) => source.sheet.columns.length));
  const last = tables.at(-1);
  const corner = `${columnLetter(width)}${last?.totalRow ?? last?.lastRow}`;
  const before = xml.slice(0, data.index).replace(DIMENSION, `<dimension ref="A1:${corner}"/>`);
  const heads = tables.map(({ headerRow }, index) => {
    const above = tables[index - 1]?.lastRow ?? 0;
    const own = rows.filter(({ number }) => number > above && number <= headerRow).map(({ row }) => row);
    return `${index === 0 ? `${before}<sheetData>` : ''}${own.join('')}`;
  });
  return { heads, tail: `</sheetData>${xml.slice(data.index + data[0].length)}` };
};
