import { DefectError } from '../../kernel/errors.ts';
import { needsSpacePreserved, spreadsheetText, xmlText } from './spreadsheet-text.ts';

/** A formula as a cell carries it. */
export const formulaXml = (formula: string): string => `<f>${xmlText(formula)}</f>`;

/** Styled and empty. */
export const blankCell = (address: string, style: string, formula = ''): string =>
  formula === ''
    ? `<c r="${address}" s="${style}"/>`
    : `<c r="${address}" s="${style}" t="str">${formula}<v></v></c>`;

/** Text stands inside its cell, so it is text whatever it begins with; a formula's text result is marked as one. */
export const textCell = (address: string, style: string, text: string, formula = ''): string => {
  const written = xmlText(spreadsheetText(text));
  if (formula !== '') return `<c r="${address}" s="${style}" t="str">${formula}<v>${written}</v></c>`;
  const space = needsSpacePreserved(text) ? ' xml:space="preserve"' : '';
  return `<c r="${address}" s="${style}" t="inlineStr"><is><t${space}>${written}</t></is></c>`;
};

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** @param decimal Exact decimal text. @throws {DefectError} when it is anything else. */
export const numberCell = (address: string, style: string, decimal: string, formula = ''): string => {
  if (!NUMBER.test(decimal)) throw new DefectError(`${decimal} is not a number a sheet can hold`);
  return `<c r="${address}" s="${style}">${formula}<v>${decimal}</v></c>`;
};
