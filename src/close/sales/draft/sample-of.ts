import { calledColumns } from '../files/normal-column.ts';
import type { SurveyedFile } from '../files/survey-file.ts';
import { tableHeads } from '../files/table-heads.ts';
import { rowByRow, type TableRow } from '../files/table-row.ts';
import { bestHeader, DELIMITERS } from './draft-header.ts';
import type { SampleColumn } from './guess-columns.ts';

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
