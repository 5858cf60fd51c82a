import { stat } from 'node:fs/promises';
import ExcelJS from 'exceljs';
import { namedRanges } from './named-ranges.ts';

type Row = Readonly<Record<string, string | number | boolean | null>>;

/** Tables that have no sheet where they have no rows. */
const LEFT_OUT_WHEN_EMPTY = [
  ...['Exceptions', 'Refunds', 'Certificates', 'Prepayments', 'Nexus', 'Roll-forward'],
  ...['Not posted', 'Exempt sales', 'Reasons', 'By_reason'],
];

/** The rows of a table by its name, or of the first one on a sheet, as objects by column title, formulas by their cached results, dates as ISO days. */
export const tableRows = async (path: string, sheet: string): Promise<readonly Row[]> => {
  const workbook = await readBook(path);
  const named = namedRanges(workbook).find(({ name }) => name === sheet);
  const owner = workbook.worksheets.find((each) => tableIn(each, sheet) !== undefined);
  const worksheet = owner ?? workbook.getWorksheet(named?.sheet ?? sheet);
  if (!worksheet && LEFT_OUT_WHEN_EMPTY.includes(sheet)) return [];
  if (!worksheet) throw new Error(`${path} has no sheet or table ${sheet}`);
  const table = owner ? tableIn(owner, sheet) : tablesOf(worksheet)[0];
  const { tableRef, totalsRow = false } = table ?? { tableRef: named?.range };
  if (tableRef === undefined) throw new Error(`${sheet} has no table`);
  const [first = '', end = ''] = tableRef.replaceAll('$', '').split(':');
  const top = rowNumber(first);
  const bottom = rowNumber(end) - (totalsRow ? 1 : 0);
  const left = columnNumber(first);
  const width = columnNumber(end) - left + 1;
  const titles = Array.from({ length: width }, (_, index) =>
    String(worksheet.getRow(top).getCell(left + index).value),
  );
  return Array.from({ length: bottom - top }, (_, step) => {
    const row = worksheet.getRow(top + 1 + step);
    return Object.fromEntries(titles.map((title, index) => [title, plain(row.getCell(left + index).value)]));
  });
};

/**
 * The orders and refunds of a period as whole statements: a row of Detail with what other columns and tables say of it,
 * and those that are not posted.
 */
export const salesIn = async (path: string): Promise<readonly Row[]> => {
  const exempt = new Map((await tableRows(path, 'Exempt sales')).map((row) => [row['Transaction'], row]));
  const posted = (await tableRows(path, 'Detail')).map((row) => ({
    ...row,
    Posted: 'Yes',
    Recorded: row['Recorded'] ?? row['Collected'] ?? null,
    Status: row['Status'] ?? (row['Reason'] === null ? 'tied out' : 'explained'),
    Certificate: exempt.get(row['Transaction'] ?? '')?.['Certificate'] ?? null,
    'Tax relieved': exempt.get(row['Transaction'] ?? '')?.['Tax relieved'] ?? null,
  }));
  const others = (await tableRows(path, 'Not posted')).map((row) => ({
    Taxable: null,
    Collected: null,
    Expected: null,
    Recorded: null,
    Variance: null,
    Reason: null,
    ...row,
    Posted: 'No',
    Gross: null,
    'Gross not posted': row['Gross'] ?? 0,
    'Tax not posted': row['Tax'] ?? 0,
  }));
  return [...posted, ...others].map((row: Row) => {
    const [, file = '', line = ''] = /^(.*):(\d+)$/.exec(String(row['File and line'])) ?? [];
    const amount = Number(row['Gross'] ?? row['Gross not posted']) || Number(row['Collected']);
    return { ...row, Kind: amount < 0 ? 'refund' : 'order', File: file, Line: Number(line) };
  });
};

/** The workbook that was read last: tests ask one book many questions, and reading it is most of the work. */
let last: { readonly file: string; readonly workbook: ExcelJS.Workbook } | undefined;

export const readBook = async (path: string): Promise<ExcelJS.Workbook> => {
  const { ino, mtimeMs, ctimeMs, size } = await stat(path);
  const file = [path, ino, mtimeMs, ctimeMs, size].join();
  if (last?.file === file) return last.workbook;
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(path);
  last = { file, workbook };
  return workbook;
};

type TableModel = { readonly name: string; readonly tableRef: string; readonly totalsRow?: boolean };

const tablesOf = (worksheet: ExcelJS.Worksheet): readonly TableModel[] =>
  Object.values((worksheet as unknown as { tables: Record<string, { table: TableModel }> }).tables).map(
    ({ table }) => table,
  );

const tableIn = (worksheet: ExcelJS.Worksheet, name: string): TableModel | undefined =>
  tablesOf(worksheet).find((table) => letters(table.name) === letters(name));

const letters = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const rowNumber = (address: string): number => Number(/\d+$/.exec(address)?.[0]);

const columnNumber = (address: string): number =>
  [...(/^[A-Z]+/.exec(address)?.[0] ?? '')].reduce(
    (number, letter) => number * 26 + letter.charCodeAt(0) - 64,
    0,
  );

const plain = (value: ExcelJS.CellValue): string | number | boolean | null => {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (typeof value !== 'object') return value;
  if ('result' in value) return plain(value.result as ExcelJS.CellValue);
  // exceljs reads a cached result of zero as none; what the file stores is compared elsewhere.
  if ('formula' in value) return 0;
  if ('text' in value) return value.text;
  return null;
};

/** The filled cells of a sheet as text, a line for each row. */
export const sheetText = async (path: string, sheet: string): Promise<string> => {
  const workbook = await readBook(path);
  const lines: string[] = [];
  workbook.getWorksheet(sheet)?.eachRow((row) => {
    const cells: string[] = [];
    row.eachCell((cell) => {
      const value = plain(cell.value);
      if (value !== null && value !== '') cells.push(String(value));
    });
    lines.push(cells.join(' | '));
  });
  return lines.join('\n');
};
