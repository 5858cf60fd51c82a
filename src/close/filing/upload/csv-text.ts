import { stringify } from 'csv-stringify/sync';

/** A cell of a file for other programs: text, or a number that is already written out. */
export type CsvCell = { readonly text: string } | { readonly number: string };

const NUMBER = /^-?\d+(\.\d+)?$/;
/** A line end of any kind is quoted: what stands behind it would begin a cell of its own, and could be a formula. */
const LINE_END = /[\r\n]/;
const FORMULA_START = /^[=+\-@\t\r＝＋－＠]/;

export const text = (value: string): CsvCell => ({ text: value });
export const number = (value: string): CsvCell => ({ number: value });

/**
 * Rows as CSV. A text that a spreadsheet would take for a formula gets an apostrophe; numbers keep their sign, and are
 * nothing but digits, a sign and a point.
 */
export const csvText = (rows: readonly (readonly CsvCell[])[], delimiter = ','): string =>
  stringify(
    rows.map((row) => row.map(cellText)),
    { delimiter, record_delimiter: 'windows', quoted_match: LINE_END },
  );

const cellText = (cell: CsvCell): string => {
  if ('text' in cell) return FORMULA_START.test(cell.text) ? `'${cell.text}` : cell.text;
  return NUMBER.test(cell.number) ? cell.number : `'${cell.number}`;
};
