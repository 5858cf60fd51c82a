import { stat } from 'node:fs/promises';
import ExcelJS from 'exceljs';

type Value = string | number | boolean | null;
type Row = Readonly<Record<string, Value>>;
export type TableCell = {
  readonly value: Value;
  readonly formula?: string;
};
export type TableRow = Readonly<Record<string, TableCell>>;
export type WorkbookTable = {
  readonly sheet: string;
  readonly rows: readonly TableRow[];
};

/** Tables that have no sheet where they have no rows. */
const LEFT_OUT_WHEN_EMPTY = [
  ...['Exceptions', 'Refunds', 'Certificates', 'Prepayments', 'Nexus', 'Roll-forward'],
  ...['Not posted', 'Exempt sales', 'Reasons', 'By_reason', 'By jurisdiction'],
];

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
let last:
  | {
      readonly file: string;
      readonly workbook: ExcelJS.Workbook;
    }
  | undefined;

export const readBook = async (path: string): Promise<ExcelJS.Workbook> => {
  const { ino, mtimeMs, ctimeMs, size } = await stat(path);
  const file = [path, ino, mtimeMs, ctimeMs, size].join();
  if (last?.file === file) return last.workbook;
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(path);
  last = { file, workbook };
  return workbook;
};

type Place = {
  readonly name: string;
  readonly sheet: ExcelJS.Worksheet;
  readonly tableRef: string;
  readonly totalsRow?: boolean;
};

const RANGE = /^'?([^'!]+)'?!(\$?[A-Z]+\$?\d+:\$?[A-Z]+\$?\d+)$/;

/** The tables of a workbook, and its plain ones: names over a header and its rows. */
const placesIn = (workbook: ExcelJS.Workbook): readonly Place[] => [
  ...workbook.worksheets.flatMap((sheet) => {
    const { tables } = sheet as unknown as { tables: Record<string, { table: Omit<Place, 'sheet'> }> };
    return Object.values(tables).map(({ table }) => ({ ...table, sheet }));
  }),
  ...workbook.definedNames.model.flatMap(({ name, ranges }) => {
    const [, title = '', tableRef] = RANGE.exec(ranges[0] ?? '') ?? [];
    const sheet = workbook.getWorksheet(title);
    return sheet && tableRef !== undefined ? [{ name, sheet, tableRef }] : [];
  }),
];

const readPlace = ({ sheet, tableRef, totalsRow = false }: Place): readonly TableRow[] => {
  const [first = '', last = ''] = tableRef.replaceAll('$', '').split(':');
  const start = sheet.getCell(first);
  const end = sheet.getCell(last);
  const left = Number(start.col);
  const top = Number(start.row);
  const titles = Array.from({ length: Number(end.col) - left + 1 }, (_, index) =>
    String(sheet.getCell(top, left + index).value),
  );
  return Array.from({ length: Number(end.row) - top - (totalsRow ? 1 : 0) }, (_, step) =>
    Object.fromEntries(
      titles.map((title, index) => [title, cellOf(sheet.getCell(top + 1 + step, left + index))]),
    ),
  );
};

const cellOf = (cell: ExcelJS.Cell): TableCell => {
  if (!cell.formula) return { value: plain(cell.value) };
  // exceljs reads a cached result of zero as none; what the file stores is compared elsewhere.
  return { value: plain(cell.result as ExcelJS.CellValue) ?? 0, formula: cell.formula };
};

const plain = (value: ExcelJS.CellValue): Value => {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (typeof value !== 'object') return value;
  return 'text' in value ? String(value.text) : null;
};

/** The tables of a workbook by name, each cell with its formula and its cached result. */
export const workbookTables = async (path: string): Promise<ReadonlyMap<string, WorkbookTable>> =>
  new Map(
    placesIn(await readBook(path)).map((place) => [
      place.name,
      { sheet: place.sheet.name, rows: readPlace(place) },
    ]),
  );

const letters = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The rows of a table by its name, or of the first one on a sheet, as objects by column title, formulas by their cached results, dates as ISO days. */
export const tableRows = async (path: string, name: string): Promise<readonly Row[]> => {
  const places = placesIn(await readBook(path));
  const place =
    places.find((each) => letters(each.name) === letters(name)) ??
    places.find(({ sheet }) => sheet.name === name);
  if (!place && LEFT_OUT_WHEN_EMPTY.includes(name)) return [];
  if (!place) throw new Error(`${path} has no table ${name}`);
  return readPlace(place).map((row) =>
    Object.fromEntries(Object.entries(row).map(([title, { value }]) => [title, value])),
  );
};

/** The filled cells of a sheet as text, a line for each row. */
export const sheetText = async (path: string, sheet: string): Promise<string> => {
  const lines: string[] = [];
  (await readBook(path)).getWorksheet(sheet)?.eachRow((row) => {
    const cells: Value[] = [];
    row.eachCell((cell) => cells.push(cellOf(cell).value));
    lines.push(cells.filter((value) => value !== null && value !== '').join(' | '));
  });
  return lines.join('\n');
};
