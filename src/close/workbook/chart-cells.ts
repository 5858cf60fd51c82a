import { DefectError } from '../../kernel/errors.ts';
import { shownValue } from './cell.ts';
import { type Format, ruleOf } from './format.ts';
import type { PlacedTable } from './layout.ts';
import { columnLetter, quotedSheetName } from './spreadsheet-name.ts';
import { spreadsheetText } from './spreadsheet-text.ts';

/** The cells of a column that a chart refers to, with what they show when the file is written. */
export type ChartCells = {
  readonly header: string;
  readonly range: string;
  readonly format: Format;
  /** As the file stores them; a blank cell has none. */
  readonly values: readonly (string | undefined)[];
};

/** @throws {DefectError} when the table has no such column, or its rows are not all in memory and on one sheet. */
export const chartCells = (placed: PlacedTable, title: string): ChartCells => {
  const { source, sheetName, parts, headerRow, firstRow, lastRow } = placed;
  const index = source.sheet.columns.findIndex((column) => column.title === title);
  const column = source.sheet.columns[index];
  if (!column) throw new DefectError(`a chart refers to ${sheetName}[${title}], which has no such column`);
  if (column.format === 'mixed') throw new DefectError(`${sheetName}[${title}] has no format of its own`);
  if (!source.rows || parts > 1) {
    throw new DefectError(`${sheetName} has a chart, and not all of its rows in memory and on one sheet`);
  }
  const rule = ruleOf(column.format);
  const values = source.rows.map((row) => {
    const value = shownValue(column.value(row));
    if (value === undefined) return undefined;
    return rule.isText ? spreadsheetText(rule.encode(value)) : rule.encode(value);
  });
  const at = `${quotedSheetName(sheetName)}!$${columnLetter(index + 1)}$`;
  return {
    header: at + headerRow,
    range: `${at}${firstRow}:$${columnLetter(index + 1)}$${lastRow}`,
    format: column.format,
    values,
  };
};
