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
