import { needsSpacePreserved, spreadsheetText, xmlText } from './spreadsheet-text.ts';

/** The XML of a cell's formula. */
export const formulaXml = (formula: string): string => `<f>${xmlText(formula)}</f>`;

/** The XML of a text in a cell or in the shared strings. */
export const stringXml = (text: string): string => {
  const space = needsSpacePreserved(text) ? ' xml:space="preserve"' : '';
  return `<t${space}>${xmlText(spreadsheetText(text))}</t>`;
};

/*
 * A cell is written as `<c s="5"` followed by one of these endings. Only the first cell of a row states its address;
 * each of the others follows the cell before it (ECMA-376 part 1, 18.3.1.4: `r` is optional).
 */

/** Text stored in the cell itself (inline), so it stays text whatever character it begins with. */
export const textEnd = (text: string): string => ` t="inlineStr"><is>${stringXml(text)}</is></c>`;

/** Text stored in the shared strings of the workbook. */
export const sharedTextEnd = (number: number): string => ` t="s"><v>${number}</v></c>`;

/** @param decimal Exact decimal text. */
export const numberEnd = (decimal: string, formula = ''): string => `>${formula}<v>${decimal}</v></c>`;

/** Text computed by a formula; the formula may be empty. */
export const computedTextEnd = (text: string, formula: string): string =>
  ` t="str">${formula}<v>${xmlText(spreadsheetText(text))}</v></c>`;

/** An empty cell that has a style. */
export const BLANK_END = '/>';

/** @param ends The endings of the row's cells, starting at column A */
export const rowXml = (row: number, style: (column: number) => string, ends: readonly string[]): string => {
  const cells = ends.map(
    (end, column) => `<c${column === 0 ? ` r="A${row}"` : ''} s="${style(column)}"${end}`,
  );
  return `<row r="${row}">${cells.join('')}</row>`;
};
