import { beyondLimit, damaged, RECORD_CELLS_MAX, RECORD_LENGTH_MAX } from './file-source.ts';
import { isBlankRow, type TableRow } from './table-row.ts';

type ScanOptions = {
  /** The file's path, for messages. */
  readonly name: string;
  /** One ASCII character. */
  readonly delimiter: string;
  /** The physical line where records begin; earlier lines are prose, in which quotes have no meaning. */
  readonly firstLine: number;
};

/**
 * Read the non-blank records of delimited UTF-8 text in order, one batch per piece of text. Lines may end in any of the
 * three ways, even within one file.
 *
 * The bytes are scanned for delimiters, quotes and line ends, and only non-blank cells are decoded. A record with
 * quotes anywhere except around whole cells is damaged. Tests check that csv-parse finds the same.
 *
 * @throws {ExportError} when the quoting is broken, or a record exceeds the limits
 */
export async function* scanRecords(
  pieces: AsyncIterable<Buffer>,
  options: ScanOptions,
): AsyncGenerator<readonly TableRow[]> {
  const { take } = recordScanner(options);
  for await (const piece of pieces) yield* take(piece);
  yield* take(undefined);
}

const [ORDINARY, BEYOND_ASCII, DELIMITER, QUOTE, LINE_END] = [0, 1, 2, 3, 4] as const;
const QUOTE_BYTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** The kind of each byte value for the scan. */
const kindsOfBytes = (delimiter: string): Uint8Array => {
  const kinds = new Uint8Array(256).fill(ORDINARY, 0, 0x80).fill(BEYOND_ASCII, 0x80);
  kinds[QUOTE_BYTE] = QUOTE;
  kinds[LINE_FEED] = LINE_END;
  kinds[CARRIAGE_RETURN] = LINE_END;
  kinds[delimiter.charCodeAt(0)] = DELIMITER;
  return kinds;
};

/** The cells of a record, the position of its final line end, and its number of lines. */
type Found = {
  readonly cells: readonly string[];
  readonly end: number;
  readonly lines: number;
};

const recordScanner = ({ name, delimiter, firstLine }: ScanOptions) => {
  const kinds = kindsOfBytes(delimiter);
  let bytes = Buffer.alloc(0);
  /** Number of bytes held in the buffer; the buffer has room for one more after them, a sentinel. */
  let length = 0;
  let text = '';
  let line = 1;
  let width = 0;

  const hold = (piece: Buffer, from: number): void => {
    const rest = length - from;
    const held =
      rest + piece.length < bytes.length ? bytes : Buffer.allocUnsafe(2 * (rest + piece.length) + 1);
    bytes.copy(held, 0, from, length);
    piece.copy(held, rest);
    bytes = held;
    length = rest + piece.length;
  };

  const textAt = (from: number, to: number, isAscii: boolean): string =>
    isAscii ? text.slice(from, to) : bytes.toString('utf8', from, to);

  /** The record at a position; `undefined` if it does not end within the held bytes. */
  const recordAt = (start: number, isLast: boolean): Found | undefined => {
    const held = bytes;
    const kindOf = kinds;
    const cells = new Array<string>(width);
    let count = 0;
    let lines = 1;
    let at = start;
    for (;;) {
      let isAscii = true;
      let kind = kindOf[held[at] as number] as number;
      if (kind === QUOTE) {
        const from = at + 1;
        let isDoubled = false;
        for (at = from; ; at += 1) {
          kind = kindOf[held[at] as number] as number;
          if (kind === BEYOND_ASCII) isAscii = false;
          else if (kind === QUOTE) {
            if (held[at + 1] !== QUOTE_BYTE) break;
            isDoubled = true;
            at += 1;
          } else if (kind === LINE_END) {
            if (at >= length) break;
            if (held[at] === LINE_FEED || held[at + 1] !== LINE_FEED) lines += 1;
          }
        }
        if (at + 1 >= length && !isLast) return undefined;
        if (at >= length) throw damaged(name, line, NOT_CLOSED);
        const cell = textAt(from, at, isAscii);
        cells[count] = isDoubled ? cell.replaceAll('""', '"') : cell;
        at += 1;
        kind = kindOf[held[at] as number] as number;
        if (kind < DELIMITER) throw damaged(name, line, 'text follows a closing quote');
      } else {
        const from = at;
        while (kind < DELIMITER) {
          if (kind === BEYOND_ASCII) isAscii = false;
          at += 1;
          kind = kindOf[held[at] as number] as number;
        }
        cells[count] = from === at ? '' : textAt(from, at, isAscii);
      }
      count += 1;
      if (kind === QUOTE)
        throw damaged(name, line, 'a quote stands inside a cell that does not begin with one');
      if (kind === DELIMITER) at += 1;
      else break;
    }
    if (!isEnd(at, isLast)) return undefined;
    if (count < width) cells.length = count;
    width = count;
    return { cells, end: at, lines };
  };

  /** Whether a line certainly ends at a position: after a carriage return, a line feed may follow in the next piece. */
  const isEnd = (at: number, isLast: boolean): boolean =>
    isLast || at < length - 1 || (at < length && bytes[at] === LINE_FEED);

  /** Skip a line of prose or a blank line. */
  const lineAt = (start: number, isLast: boolean): Found | undefined => {
    let at = start;
    while (kinds[bytes[at] as number] !== LINE_END) at += 1;
    return isEnd(at, isLast) ? { cells: [], end: at, lines: 1 } : undefined;
  };

  const refuseLong = (from: number, to: number): void => {
    if (to - from > RECORD_LENGTH_MAX && bytes.toString('utf8', from, to).length > RECORD_LENGTH_MAX)
      throw beyondLimit(
        name,
        `the record that starts on line ${line} is longer than ${RECORD_LENGTH_MAX} characters`,
      );
  };

  /** Whether a byte order mark stands here: at the start of a file, and of each that was appended to it. */
  const hasMarkAt = (at: number): boolean =>
    bytes[at] === BYTE_ORDER_MARK[0] &&
    at + BYTE_ORDER_MARK.length <= length &&
    BYTE_ORDER_MARK.equals(bytes.subarray(at, at + BYTE_ORDER_MARK.length));

  /** Add the rows that end within the held bytes to a list; return the position after the last of them. */
  const scan = (rows: TableRow[], isLast: boolean): number => {
    let from = 0;
    // The sentinel, which ends every scan.
    bytes[length] = LINE_FEED;
    while (from < length) {
      const at = hasMarkAt(from) ? from + BYTE_ORDER_MARK.length : from;
      const isLine = line < firstLine || kinds[bytes[at] as number] === LINE_END;
      const found = isLine ? lineAt(at, isLast) : recordAt(at, isLast);
      if (!found) break;
      const { cells, end, lines } = found;
      refuseLong(at, end);
      if (cells.length > RECORD_CELLS_MAX)
        throw beyondLimit(name, `the record on line ${line} has more than ${RECORD_CELLS_MAX} cells`);
      if (!isBlankRow(cells)) rows.push({ line, cells });
      line += lines;
      from = bytes[end] === CARRIAGE_RETURN && bytes[end + 1] === LINE_FEED ? end + 2 : end + 1;
    }
    return Math.min(from, length);
  };

  let scanned = 0;
  /** The non-blank rows that end in this piece of text; `undefined` means the end of the text. */
  const take = function* (piece: Buffer | undefined): Generator<readonly TableRow[]> {
    hold(piece ?? Buffer.alloc(0), scanned);
    text = bytes.toString('latin1', 0, length);
    const rows: TableRow[] = [];
    try {
      scanned = scan(rows, piece === undefined);
      refuseLong(scanned, length);
    } catch (error) {
      // The rows before the damage are valid.
      yield rows;
      throw error;
    }
    yield rows;
  };
  return { take };
};

const NOT_CLOSED = 'the file ends inside quotes: it was cut off, or a closing quote is missing';
