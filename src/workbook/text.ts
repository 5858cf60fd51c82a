import { DefectError } from '../kernel/errors.ts';

const CELL_LENGTH_MAX = 32_767;
const CUT_MARK = ' [cut: a cell holds 32,767 characters]';

/** Characters XML 1.0 cannot carry, and carriage returns, which XML readers turn into line feeds. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds.
const UNWRITABLE = /[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]|_(?=x[0-9a-fA-F]{4}_)/g;

/**
 * Encodes text as OOXML's ST_Xstring: characters that XML cannot contain become `_x0007_`, and the underscore of text
 * that looks like such an escape is escaped. Half of a surrogate pair becomes U+FFFD. Text that is too long ends in a
 * notice.
 */
export const spreadsheetText = (text: string): string => {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  const fitting =
    whole.length <= CELL_LENGTH_MAX
      ? whole
      : whole.slice(0, CELL_LENGTH_MAX - CUT_MARK.length).toWellFormed() + CUT_MARK;
  return fitting.replace(
    UNWRITABLE,
    (found) => `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
};

const MARKUP = /[&<>"]/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for XML content or a double-quoted attribute. */
export const xmlText = (text: string): string => text.replace(MARKUP, (found) => ENTITIES[found] ?? found);

/** Blanks that XML readers would drop without `xml:space="preserve"`. */
const DROPPED_BLANKS = /^\s|\s$|\s\s|[\t\n]/;

/** Converts `By state` to `By_state`. */
export const tableNameOf = (sheetName: string): string => sheetName.replace(/[^A-Za-z0-9]+/g, '_');

/** A sheet's name as written in a formula or a link. */
export const quotedSheetName = (name: string): string => `'${name}'`;

/**
 * Returns Excel's name of a column, counting from 1: 1 is `A`, 27 is `AA`.
 *
 * @throws {DefectError} for 0, which is what the search for a column that is not there gives.
 */
export const columnLetter = (column: number): string => {
  if (column < 1) throw new DefectError('a formula refers to a column that is not in its table');
  const rest = Math.floor((column - 1) / 26);
  const letter = String.fromCharCode(65 + ((column - 1) % 26));
  return rest === 0 ? letter : columnLetter(rest) + letter;
};

/**
 * Breaks prose into lines of limited length. A long note takes several rows of one column and overflows into the empty
 * cells beside it, which avoids merged cells and guessed row heights.
 */
export const textLines = (prose: string, width: number): string[] =>
  prose.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else {
        line = line === '' ? word : `${line} ${word}`;
      }
    }
    return [...lines, line];
  });

/** Column widths count digits. Letters of prose are narrower, and the cell's indent takes one. */
const LETTERS_PER_DIGIT = 1.1;
const INDENT = 1;

/** Returns how many letters of prose fit a line of a column. */
export const lineLength = (width: number): number => Math.floor(width * LETTERS_PER_DIGIT) - INDENT;

const LINE_HEIGHT = 15;
const HEIGHT_MAX = 409;

/** Counts the lines of a text in a cell that wraps between words, and within words that do not fit. */
export const lineCount = (text: string, width: number): number =>
  text.length <= width && !text.includes('\n')
    ? 1
    : textLines(breakable(text, width), width).reduce(
        (lines, line) => lines + Math.max(1, Math.ceil(line.length / width)),
        0,
      );

/** Adds break points: programs start a word that does not fit on a new line and break it after its punctuation. */
const breakable = (text: string, width: number): string =>
  text.replace(/(^|\s)(\S+)/g, (all, gap: string, word: string) =>
    word.length > width ? `${gap && '\n'}${word.replace(/[/?&-](?=.)/g, '$& ')}` : all,
  );

/**
 * Returns the height of a row with so many lines, in points. Programs do not agree when they fit heights automatically.
 */
export const rowHeight = (lines: number): number => Math.min(HEIGHT_MAX, lines * LINE_HEIGHT);

/** The XML of a cell's formula. */
export const formulaXml = (formula: string): string => `<f>${xmlText(formula)}</f>`;

/*
 * A cell is written as `<c s="5"` followed by one of these endings. Only the first cell of a row states its address;
 * each of the others follows the cell before it (ECMA-376 part 1, 18.3.1.4: `r` is optional).
 */

/** Text stored in the cell itself (inline), so it stays text whatever character it begins with. */
export const textEnd = (text: string): string => {
  const space = DROPPED_BLANKS.test(text) ? ' xml:space="preserve"' : '';
  return ` t="inlineStr"><is><t${space}>${xmlText(spreadsheetText(text))}</t></is></c>`;
};

/** @param decimal Exact decimal text. */
export const numberEnd = (decimal: string, formula = ''): string => `>${formula}<v>${decimal}</v></c>`;

/** Text computed by a formula; the formula may be empty. */
export const computedTextEnd = (text: string, formula: string): string =>
  ` t="str">${formula}<v>${xmlText(spreadsheetText(text))}</v></c>`;

/** An empty cell that has a style. */
export const BLANK_END = '/>';
