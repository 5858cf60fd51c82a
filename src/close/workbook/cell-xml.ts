import { needsSpacePreserved, spreadsheetText, xmlText } from './spreadsheet-text.ts';

/** A formula as a cell carries it. */
export const formulaXml = (formula: string): string => `<f>${xmlText(formula)}</f>`;

/** A text as a list of texts or a cell has it. */
export const stringXml = (text: string): string => {
  const space = needsSpacePreserved(text) ? ' xml:space="preserve"' : '';
  return `<t${space}>${xmlText(spreadsheetText(text))}</t>`;
};

/*
 * A cell is written as `<c s="5"` and one of these ends. It names no place of its own, which only the first cell of a
 * row does: each of the others stands beside the one before it (ECMA-376 part 1, 18.3.1.4: `r` is optional).
 */

/** Text stands inside its cell, so it is text whatever it begins with. */
export const textEnd = (text: string): string => ` t="inlineStr"><is>${stringXml(text)}</is></c>`;

/** Text of the workbook's list. */
export const sharedTextEnd = (number: number): string => ` t="s"><v>${number}</v></c>`;

/** @param decimal Exact decimal text. */
export const numberEnd = (decimal: string, formula = ''): string => `>${formula}<v>${decimal}</v></c>`;

/** A formula's text is marked as one; it may be empty. */
export const computedTextEnd = (text: string, formula: string): string =>
  ` t="str">${formula}<v>${xmlText(spreadsheetText(text))}</v></c>`;

/** Styled and empty. */
export const BLANK_END = '/>';

/** @param ends of its cells, the first of which stands in column A */
export const rowXml = (row: number, style: (column: number) => string, ends: readonly string[]): string => {
  const cells = ends.map(
    (end, column) => `<c${column === 0 ? ` r="A${row}"` : ''} s="${style(column)}"${end}`,
  );
  return `<row r="${row}">${cells.join('')}</row>`;
};
