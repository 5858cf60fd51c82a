import ExcelJS from 'exceljs';
import { namedRanges } from './named-ranges.ts';

export type TableCell = { readonly value: string | number | boolean | null; readonly formula?: string };
export type TableRow = Readonly<Record<string, TableCell>>;

/** One table of a workbook, with the text that stands above it. */
export type WorkbookTable = {
  readonly sheet: string;
  readonly above: string;
  readonly titles: readonly string[];
  readonly rows: readonly TableRow[];
};

/** The tables of a workbook by name, each cell with its formula and its cached result. */
export const workbookTables = async (path: string): Promise<ReadonlyMap<string, WorkbookTable>> => {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(path);
  const tables = new Map<string, WorkbookTable>();
  for (const worksheet of workbook.worksheets) {
    const own = (worksheet as unknown as { tables: Record<string, { table: TableModel }> }).tables;
    for (const { table } of Object.values(own)) tables.set(table.name, tableOf(worksheet, table));
  }
  for (const { name, sheet, range } of namedRanges(workbook)) {
    const worksheet = workbook.getWorksheet(sheet);
    if (worksheet) tables.set(name, tableOf(worksheet, { name, tableRef: range }));
  }
  return tables;
};

type TableModel = { readonly name: string; readonly tableRef: string; readonly totalsRow?: boolean };

const tableOf = (worksheet: ExcelJS.Worksheet, { tableRef, totalsRow }: TableModel): WorkbookTable => {
  const [first = '', last = ''] = tableRef.split(':').map((address) => address.replaceAll('$', ''));
  const start = worksheet.getCell(first);
  const end = worksheet.getCell(last);
  const left = Number(start.col);
  const top = Number(start.row);
  const titles = Array.from({ length: Number(end.col) - left + 1 }, (_, index) =>
    String(worksheet.getCell(top, left + index).value),
  );
  const count = Number(end.row) - top - (totalsRow ? 1 : 0);
  const rows = Array.from({ length: count }, (_, step) =>
    Object.fromEntries(
      titles.map((title, index) => [title, cellOf(worksheet.getCell(top + 1 + step, left + index))]),
    ),
  );
  const above = Array.from({ length: top - 1 }, (_, index) =>
    titles
      .map((_title, column) => worksheet.getCell(index + 1, left + column).text)
      .find((text) => text !== ''),
  ).join(' ');
  return { sheet: worksheet.name, above, titles, rows };
};

const cellOf = (cell: ExcelJS.Cell): TableCell => {
  if (!cell.formula) return { value: plain(cell.value) };
  // exceljs reads a cached result of zero as none.
  return { value: plain(cell.result as ExcelJS.CellValue) ?? 0, formula: cell.formula };
};

const plain = (value: ExcelJS.CellValue): TableCell['value'] => {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (typeof value !== 'object') return value;
  return 'text' in value ? String(value.text) : null;
};
