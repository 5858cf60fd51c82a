import type { Price } from '../../kernel/money.ts';
import { ExportError } from './export-error.ts';
import type { SampleColumn } from './guess-columns.ts';
import { moneyReader } from './read-money.ts';
import type { SurveyedFile } from './survey-file.ts';
import { type TableHead, tableHeads } from './table-heads.ts';
import { calledColumns, rowByRow, type TableRow } from './table-row.ts';

/** Maximum number of rows used for guesses. */
const SAMPLE_ROWS = 500;

/** The first rows of a table that no profile describes, column by column. */
export type Sample = {
  readonly header: TableRow;
  readonly columns: readonly SampleColumn[];
  readonly rows: number;
  /** Patterns of rows among them that are sums or notes, and are left out of the columns. */
  readonly footers: readonly string[];
};

/** Rows that begin like this are sums or notes. */
const FOOTERS = ['^(grand )?totals?\\b', '^(accrual|cash) basis\\b'];

/** @throws {ExportError} when no row looks like a header */
export const sampleOf = async (file: SurveyedFile): Promise<Sample> => {
  const { head, header } = bestHeader(file, await tableHeads(file, DELIMITERS));
  const all: TableRow[] = [];
  for await (const row of rowByRow(head.from(header))) {
    if (row.line !== header.line) all.push(row);
    if (all.length === SAMPLE_ROWS) break;
  }
  const footers = FOOTERS.filter((footer) => all.some((row) => isFooter(row, footer)));
  const rows = all.filter((row) => !footers.some((footer) => isFooter(row, footer)));
  const columns = calledColumns(header.cells).map((name, at) => ({
    name,
    cells: rows.map(({ cells }) => (cells[at] ?? '').trim()),
  }));
  return { header, columns, rows: rows.length, footers };
};

const isFooter = ({ cells }: TableRow, footer: string): boolean =>
  new RegExp(footer, 'iu').test(cells.find((cell) => cell.trim() !== '')?.trim() ?? '');

/** Reads an amount of a draft's sample, written as most exports of US shops do. */
export const amountOf: (cell: string) => Price | undefined = moneyReader({
  decimal: '.',
  group: ',',
  negative: ['minus', 'parentheses', 'typographic-minus'],
  currencySymbols: ['$', 'US$', 'USD'],
});

/** The rows of one order, by their places in the sample. */
export type OrderRows = readonly number[];

/** Rows next to each other with one number, or with none behind the first, are one order. */
export const ordersOf = (ids: readonly string[]): readonly OrderRows[] => {
  const orders: number[][] = [];
  for (const [at, id] of ids.entries()) {
    const isFurther = at > 0 && (id === '' || id === ids[at - 1]);
    if (isFurther) orders.at(-1)?.push(at);
    else orders.push([at]);
  }
  return orders;
};

/** Whether the cells of a column differ between the rows of one order, so that they are of lines and not of the order. */
export const isOfLines = ({ cells }: SampleColumn, orders: readonly OrderRows[]): boolean =>
  orders.some((rows) => new Set(rows.map((at) => cells[at]).filter((cell) => cell)).size > 1);

/** What a column comes to in each order: the sum of its lines, or what it says once. Blank cells are zero. */
export const amountsIn = (column: SampleColumn, orders: readonly OrderRows[]): readonly number[] => {
  const ofLines = isOfLines(column, orders);
  return orders.map((rows) => {
    const amounts = rows
      .map((at) => amountOf(column.cells[at] ?? ''))
      .filter((amount) => amount !== undefined);
    return ofLines ? sumOf(amounts) : (amounts[0] ?? 0);
  });
};

export const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

export const DELIMITERS = [',', '\t', ';', '|'];

/** Returns the header of a file, and the table that it heads: the widest row that may be one. */
export const bestHeader = (
  file: SurveyedFile,
  heads: readonly TableHead[],
): { readonly head: TableHead; readonly header: TableRow } => {
  const found = heads
    .flatMap((head) =>
      head.rows.filter((row) => isFullHeader(row, head.rows)).map((header) => ({ head, header })),
    )
    .sort((left, right) => right.header.cells.length - left.header.cells.length)[0];
  if (found) return found;
  throw new ExportError(
    'E_EXPORT_UNKNOWN',
    file.place,
    'none of its first lines looks like a header',
    'Export it again with a header of column names.',
  );
};

/**
 * Whether a row may be a header: it has several cells, nearly all of them filled with different words, and no earlier
 * row at least as wide could be one.
 */
const isFullHeader = (row: TableRow, rows: readonly TableRow[]): boolean => {
  const isWordy = ({ cells }: TableRow): boolean => {
    const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
    const words = filled.filter((cell) => /\p{L}/u.test(cell) && !/^[\d$(-]/.test(cell));
    return (
      filled.length >= 3 && words.length >= filled.length * 0.9 && new Set(words).size >= words.length * 0.8
    );
  };
  return (
    isWordy(row) &&
    rows.every((other) => other.line >= row.line || other.cells.length < row.cells.length || !isWordy(other))
  );
};
