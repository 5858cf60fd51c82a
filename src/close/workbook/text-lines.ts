/**
 * Break prose into lines of at most so many characters. A long note stands in several rows of one column and flows
 * over the empty cells beside it: no merged cells, and no row heights to guess.
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

/** Widths of columns count digits, and the letters of prose are narrower; the cell's indent takes one of them. */
const LETTERS_PER_DIGIT = 1.1;
const INDENT = 1;

/** How many letters of prose a line of a column takes. */
export const lineLength = (width: number): number => Math.floor(width * LETTERS_PER_DIGIT) - INDENT;

const LINE_HEIGHT = 15;
const HEIGHT_MAX = 409;

/** How many lines a text takes in a cell that breaks it between words, and within words that do not fit. */
export const lineCount = (text: string, width: number): number =>
  text.length <= width && !text.includes('\n')
    ? 1
    : textLines(breakable(text, width), width).reduce(
        (lines, line) => lines + Math.max(1, Math.ceil(line.length / width)),
        0,
      );

/** Programs begin a word that does not fit, such as an address, on a line of its own, and break it behind the signs in it. */
const breakable = (text: string, width: number): string =>
  text.replace(/(^|\s)(\S+)/g, (all, gap: string, word: string) =>
    word.length > width ? `${gap && '\n'}${word.replace(/[/?&-](?=.)/g, '$& ')}` : all,
  );

/** Height of a row with so many lines, in points. Programs do not agree on fitting heights by themselves. */
export const rowHeight = (lines: number): number => Math.min(HEIGHT_MAX, lines * LINE_HEIGHT);
