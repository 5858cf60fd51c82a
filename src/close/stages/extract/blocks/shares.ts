import { openBytes } from '../../../sales/files/open-bytes.ts';
import type { TextPart } from '../../../sales/files/table-heads.ts';
import type { SourceFile } from '../reading/source-file.ts';

/**
 * A share of a part of a file for another thread: the records that begin on these lines, with some text around them.
 */
export type PartShare = {
  /** In the order of the file, from 0. */
  readonly number: number;
  readonly part: TextPart;
  /** As in `Share`. */
  readonly first: number | null;
  readonly last: number | null;
};

/** Borders between records in a share. Reading starts one border before the share and ends one border after it. */
const BORDERS = 8;

type Border = { readonly at: number; readonly line: number };

/** Divides a part of divisible text into shares of about this many bytes. */
export async function* sharesOf(
  file: SourceFile,
  whole: TextPart,
  headerLine: number,
  bytes: number,
): AsyncGenerator<PartShare> {
  /** The borders from the one before a share to the one after it. */
  let open: Border[] = [{ at: whole.from, line: whole.line }];
  let number = 0;
  for await (const border of bordersOf(file, whole, headerLine, Math.ceil(bytes / BORDERS))) {
    open.push(border);
    const own = number === 0 ? 0 : 1;
    const [from, first, last] = [open[0], open[own], open[own + BORDERS]];
    if (!from || !first || !last || open.length <= own + BORDERS + 1) continue;
    const part = { ...rangeOf(from, border.at), line: from.line };
    yield { number, part, first: number === 0 ? null : first.line, last: last.line };
    open = open.slice(own + BORDERS - 1);
    number += 1;
  }
  const [from, first] = [open[0] as Border, open[number === 0 ? 0 : 1]];
  const part = { ...rangeOf(from, whole.to), line: from.line };
  yield { number, part, first: number === 0 ? null : (first?.line ?? from.line), last: null };
}

const rangeOf = ({ at }: Border, to: number) => ({ from: at, to });

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Yields where records begin in a part, at least `apart` bytes from each other: after a line end and an even number of
 * quotes. The lines before the header are prose, in which quotes have no meaning.
 */
async function* bordersOf(
  file: SourceFile,
  { from, to, line: begin }: TextPart,
  headerLine: number,
  apart: number,
): AsyncGenerator<Border> {
  let at = from;
  let line = begin;
  let isQuoted = false;
  let isBehindReturn = false;
  let isBehindEnd = false;
  let wanted = from + apart;
  for await (const piece of openBytes(file, { from, to })) {
    let index = 0;
    while (index < piece.length) {
      // Text that ends before the next wanted border is only counted.
      const end = Math.min(wanted - at, piece.length);
      if (line >= headerLine && index < end) {
        const { lines, quotes } = countedIn(piece.toString('latin1', index, end), isBehindReturn);
        line += lines;
        if (quotes % 2 === 1) isQuoted = !isQuoted;
        isBehindReturn = piece[end - 1] === CARRIAGE_RETURN;
        isBehindEnd = isBehindReturn || piece[end - 1] === LINE_FEED;
        index = end;
        continue;
      }
      const byte = piece[index];
      const isSecond = isBehindReturn && byte === LINE_FEED;
      if (isBehindEnd && !isSecond && !isQuoted && at + index >= wanted) {
        yield { at: at + index, line };
        wanted = at + index + apart;
      }
      isBehindReturn = byte === CARRIAGE_RETURN;
      isBehindEnd = isBehindReturn || byte === LINE_FEED;
      if (isBehindEnd && !isSecond) line += 1;
      else if (byte === QUOTE && line >= headerLine) isQuoted = !isQuoted;
      index += 1;
    }
    at += piece.length;
  }
}

/** Returns the number of line ends and of quotes in a text. */
const countedIn = (text: string, isBehindReturn: boolean) => {
  const timesOf = (what: string): number => text.split(what).length - 1;
  const returns = text.includes('\r') ? timesOf('\r') - timesOf('\r\n') : 0;
  const isSecond = isBehindReturn && text.startsWith('\n');
  return { lines: timesOf('\n') + returns - (isSecond ? 1 : 0), quotes: timesOf('"') };
};
