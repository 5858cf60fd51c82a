import { normalColumn } from '../sales/files/normal-column.ts';
import type { SurveyedFile } from '../sales/files/survey-file.ts';
import { type TableHead, tableHeads } from '../sales/files/table-heads.ts';
import { rowByRow, type TableRow } from '../sales/files/table-row.ts';
import { decisionError } from './decision-error.ts';

/** The columns that are read; decisions.csv has more of them, for the reader. */
const COLUMNS = ['no', 'key', 'records', 'decision', 'why', 'by', 'on'] as const;
export type DecisionColumn = (typeof COLUMNS)[number];

const NEEDED: readonly DecisionColumn[] = ['key', 'decision', 'why'];

/** A row of a file of decisions, by column, without blanks around its cells. */
export type DecisionRow = Readonly<Record<DecisionColumn, string>> & {
  /** Where a cell of it stands, for a person. */
  readonly placeOf: (column: DecisionColumn) => string;
};

type Header = {
  readonly head: TableHead;
  readonly row: TableRow;
  readonly places: Readonly<Record<DecisionColumn, number>>;
};

/** Rows above the header of a sheet: its title and its figures. */
const HEADER_LINES_MAX = 30;

/** The rows of decisions.csv, or of the sheet Decide of a workbook, that are not blank. */
export const decisionRows = async (file: SurveyedFile): Promise<readonly DecisionRow[]> => {
  const { head, row: header, places } = await headerIn(file);
  const rows: DecisionRow[] = [];
  for await (const { line, cells } of rowByRow(head.from(header))) {
    if (line <= header.line) continue;
    const cellOf = (column: DecisionColumn): string =>
      (cells[places[column]] ?? '').trim().replace(/^'(?=[=+\-@])/, '');
    const texts = Object.fromEntries(COLUMNS.map((column) => [column, cellOf(column)]));
    if (COLUMNS.every((column) => texts[column] === '')) continue;
    rows.push({
      ...(texts as Record<DecisionColumn, string>),
      placeOf: (column) =>
        head.sheet === undefined
          ? `${file.name}:${line}, column "${column}"`
          : `${file.name}, ${head.sheet}!${letterOf(places[column])}${line}`,
    });
  }
  return rows;
};

/** @throws {TieoutError} E_DECISION when no row of the file has the columns that are needed */
const headerIn = async (file: SurveyedFile): Promise<Header> => {
  const heads = await tableHeads(file, [',', ';', '\t']);
  const found = heads.flatMap((head) =>
    head.rows
      .filter(({ line }) => line <= HEADER_LINES_MAX)
      .map((row): Header => ({ head, row, places: placesIn(row.cells) })),
  );
  const header = found.find(({ places }) => NEEDED.every((column) => places[column] >= 0));
  if (header) return header;
  throw decisionError(
    file.name,
    `it has no columns ${NEEDED.map((column) => `"${column}"`).join(', ')}`,
    'Name the decisions.csv of a period, or its variance.xlsx, in `decisions`.',
  );
};

const placesIn = (cells: readonly string[]): Header['places'] => {
  const titles = cells.map((cell) => normalColumn(cell).replace(/[^a-z]/g, ''));
  return Object.fromEntries(COLUMNS.map((column) => [column, titles.indexOf(column)])) as Header['places'];
};

/** Column of a sheet by its number from 0. */
const letterOf = (index: number): string => String.fromCharCode('A'.charCodeAt(0) + index);
