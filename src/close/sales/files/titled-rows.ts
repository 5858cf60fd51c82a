import { dayForms } from '../normal/date-form.ts';
import { normalColumn } from './normal-column.ts';
import type { SurveyedFile } from './survey-file.ts';
import { type TableHead, tableHeads } from './table-heads.ts';
import { rowByRow, type TableRow } from './table-row.ts';

/** A row that people fill in, by column, with trimmed cells. */
export type TitledRow<Column extends string> = Readonly<Record<Column, string>> & {
  /** Where a cell is, in a form for people. */
  readonly placeOf: (column: Column) => string;
};

type Header<Column extends string> = {
  readonly head: TableHead;
  readonly row: TableRow;
  readonly places: Readonly<Record<Column, number>>;
};

/** How many rows (title and figures) may precede the header of a sheet. */
const HEADER_LINES_MAX = 30;

/**
 * Reads the non-blank rows of a file with known columns, also where a spreadsheet has saved it as a workbook.
 *
 * @param columns in small letters; capitals, blanks and signs of a title do not count
 * @returns `undefined` if no row of the file has the columns that are needed
 */
export const titledRows = async <Column extends string>(
  file: SurveyedFile,
  columns: readonly Column[],
  needed: readonly Column[],
): Promise<readonly TitledRow<Column>[] | undefined> => {
  const header = await headerIn(file, columns, needed);
  if (!header) return undefined;
  const { head, row: titles, places } = header;
  const rows: TitledRow<Column>[] = [];
  for await (const { line, cells } of rowByRow(head.from(titles))) {
    if (line <= titles.line) continue;
    const cellOf = (column: Column): string =>
      (cells[places[column]] ?? '').trim().replace(/^'(?=[=+\-@])/, '');
    const texts = Object.fromEntries(columns.map((column) => [column, cellOf(column)]));
    if (columns.every((column) => texts[column] === '')) continue;
    rows.push({
      ...(texts as Record<Column, string>),
      placeOf: (column) =>
        head.sheet === undefined
          ? `${file.name}:${line}, column "${titles.cells[places[column]]?.trim() ?? column}"`
          : `${file.name}, ${head.sheet}!${letterOf(places[column])}${line}`,
    });
  }
  return rows;
};

const headerIn = async <Column extends string>(
  file: SurveyedFile,
  columns: readonly Column[],
  needed: readonly Column[],
): Promise<Header<Column> | undefined> => {
  const heads = await tableHeads(file, [',', ';', '\t']);
  const found = heads.flatMap((head) =>
    head.rows
      .filter(({ line }) => line <= HEADER_LINES_MAX)
      .map((row): Header<Column> => ({ head, row, places: placesIn(row.cells, columns) })),
  );
  return found.find(({ places }) => needed.every((column) => places[column] >= 0));
};

const placesIn = <Column extends string>(
  cells: readonly string[],
  columns: readonly Column[],
): Record<Column, number> => {
  const titles = cells.map((cell) => normalColumn(cell).replace(/[^a-z]/g, ''));
  return Object.fromEntries(columns.map((column) => [column, titles.indexOf(column)])) as Record<
    Column,
    number
  >;
};

/** Column letter of a sheet by its index from 0. */
const letterOf = (index: number): string => String.fromCharCode('A'.charCodeAt(0) + index);

/** Read a date from a cell; `undefined` if invalid. With slashes the month comes first, unless that is impossible. */
export const readDay = dayForms([
  'yyyy-MM-dd',
  'yyyy/MM/dd',
  'M/d/yyyy',
  'M/d/yy',
  'd/M/yyyy',
  'd.M.yyyy',
  'd.M.yy',
  'd-MMM-yyyy',
  'd-MMM-yy',
  'd MMM yyyy',
  'd MMMM yyyy',
  'MMM d, yyyy',
  'MMMM d, yyyy',
  'yyyy-MM-dd HH:mm(:ss)',
]);
