import { CsvError, parse } from 'csv-parse/sync';
import { beyondLimit, damaged } from './file-errors.ts';
import { RECORD_CELLS_MAX, RECORD_LENGTH_MAX } from './limits.ts';
import { isBlankRow, type TableRow } from './table-row.ts';

export type SplitterOptions = {
  /** The file, for messages. */
  readonly name: string;
  readonly delimiter: string;
  /** Without any, a line can only end in one way, and is found faster. */
  readonly hasCarriageReturns: boolean;
  /** The physical line on which reading begins; the lines before it are prose, in which quotes mean nothing. */
  readonly firstLine: number;
};

/** A record of a piece of text: its cells, or its text with quotes in it, which is for the parser. */
type Found = { readonly line: number; cells: readonly string[] | undefined; readonly text: string };

/**
 * Splits delimited text, which comes in pieces, into records. A line without a quote is its cells and what stands
 * between them, and needs no parser; every record with a quote is read by csv-parse, all those of a piece at once.
 */
export const recordSplitter = (options: SplitterOptions) => {
  const { name, delimiter, hasCarriageReturns, firstLine } = options;
  let line = 1;
  let carry = '';

  const ended = (rest: string, end: number): number => (rest.startsWith('\r\n', end) ? end + 2 : end + 1);

  /** The records that end in `rest`, and where the one begins that does not. */
  const recordsIn = (rest: string, isLast: boolean): { found: Found[]; behind: number } => {
    const found: Found[] = [];
    const lineEnd = lineEndFinder(rest, hasCarriageReturns, isLast);
    const quote = nextFinder(rest, '"');
    let at = 0;
    while (at < rest.length) {
      let end = lineEnd(at);
      if (end < 0) break;
      const isBefore = line < firstLine;
      const hasQuote = !isBefore && quote(at) < end;
      if (hasQuote) end = recordEnd(at, end, quote, lineEnd);
      if (end < 0) break;
      const start = line;
      const text = rest.slice(at, end);
      line += hasQuote ? linesOf(text) : 1;
      at = end === rest.length ? end : ended(rest, end);
      if (!isBefore) {
        if (text.length > RECORD_LENGTH_MAX) throw tooLong(name, start);
        if (hasQuote) found.push({ line: start, cells: undefined, text });
        else if (text !== '') found.push({ line: start, cells: text.split(delimiter), text: '' });
      }
    }
    return { found, behind: at };
  };

  /** The rows that end in this piece of text, blank ones left out; `undefined` says that there is no more text. */
  const take = function* (piece: string | undefined): Generator<readonly TableRow[]> {
    const rest = carry + (piece ?? '');
    const { found, behind } = recordsIn(rest, piece === undefined);
    carry = rest.slice(behind);
    const error = readQuoted(found, name, delimiter);
    const rows: TableRow[] = [];
    for (const { line: start, cells } of found) {
      if (cells === undefined) break;
      if (cells.length > RECORD_CELLS_MAX)
        throw beyondLimit(name, `the record on line ${start} has more than ${RECORD_CELLS_MAX} cells`);
      if (!isBlankRow(cells)) rows.push({ line: start, cells });
    }
    yield rows;
    if (error) throw error;
    if (carry.length > RECORD_LENGTH_MAX) throw tooLong(name, line);
  };
  return { take };
};

type Finder = (from: number) => number;

const NOWHERE = Number.POSITIVE_INFINITY;

/** Finds the next place of a character from ever later places on, without looking at any place twice. */
const nextFinder = (text: string, character: string): Finder => {
  let next = -1;
  return (from) => {
    if (next >= from) return next;
    const found = text.indexOf(character, from);
    next = found < 0 ? NOWHERE : found;
    return next;
  };
};

/** Finds the end of the line from ever later places on; -1 when it has not come yet. The end of all text is one. */
const lineEndFinder = (text: string, hasCarriageReturns: boolean, isLast: boolean): Finder => {
  const feed = nextFinder(text, '\n');
  const carriage = hasCarriageReturns ? nextFinder(text, '\r') : () => NOWHERE;
  return (from) => {
    const end = Math.min(feed(from), carriage(from));
    if (end === NOWHERE) return isLast ? text.length : -1;
    // A line feed may follow in the next piece.
    return end === text.length - 1 && !isLast && text[end] === '\r' ? -1 : end;
  };
};

/** The end of a record with quotes: the first end of a line behind an even number of them. */
const recordEnd = (start: number, firstEnd: number, quote: Finder, lineEnd: Finder): number => {
  let end = firstEnd;
  let at = start;
  for (;;) {
    const open = quote(at);
    if (open > end) return end;
    const close = quote(open + 1);
    // Nothing closes it: the whole rest is one record, if there is no more text to come.
    if (close === NOWHERE) return lineEnd(NOWHERE);
    at = close + 1;
    end = lineEnd(at);
    if (end < 0) return end;
  }
};

const linesOf = (record: string): number => {
  let lines = 1;
  for (const _end of record.matchAll(/\r\n|\n|\r/g)) lines += 1;
  return lines;
};

/** Read the records with quotes; gives the error of the first that is damaged, which has no cells then. */
const readQuoted = (found: readonly Found[], name: string, delimiter: string): unknown => {
  const quoted = found.filter(({ cells }) => cells === undefined);
  if (quoted.length === 0) return undefined;
  const options = { delimiter, relax_column_count: true, record_delimiter: ['\n'] };
  const read = (texts: readonly string[]): string[][] => parse(texts.join('\n'), options) as string[][];
  try {
    read(quoted.map(({ text }) => text)).forEach((cells, index) => {
      const record = quoted[index];
      if (record) record.cells = cells;
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    for (const record of quoted) {
      try {
        record.cells = read([record.text])[0];
      } catch (own) {
        return damaged(name, record.line, error.code, own);
      }
    }
    return undefined;
  }
};

const tooLong = (name: string, line: number) =>
  beyondLimit(name, `the record that starts on line ${line} is longer than ${RECORD_LENGTH_MAX} characters`);
