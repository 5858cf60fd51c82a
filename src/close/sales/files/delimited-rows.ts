import { CsvError, parse } from 'csv-parse';
import { beyondLimit, damaged } from './file-errors.ts';
import { RECORD_BYTES_MAX, RECORD_CELLS_MAX } from './limits.ts';
import { isBlankRow, type PlacedRow } from './table-row.ts';

export type DelimitedText = {
  /** The file, for messages. */
  readonly name: string;
  /** UTF-8 text without a byte order mark. */
  readonly pieces: AsyncIterable<Buffer>;
  readonly delimiter: string;
  readonly hasCarriageReturns: boolean;
  /** The physical line on which the text begins, and how many bytes of the file stand before it. */
  readonly line: number;
  readonly offset: number;
};

/**
 * The records of delimited text in order, as many at a time as a piece of the text ends; blank ones are left out.
 * Lines may end in any of the three ways, even in one file. The first record should be the header: for each one
 * of another length than the first the parser prepares an error that nobody reads.
 *
 * @throws {ExportError} when the quoting is broken, or a record is beyond the limits
 */
export async function* delimitedRows(text: DelimitedText): AsyncGenerator<readonly PlacedRow[]> {
  const { name, delimiter, hasCarriageReturns } = text;
  const parser = parse({
    delimiter,
    relax_column_count: true,
    // With a choice of ends each byte is compared with all of them.
    record_delimiter: hasCarriageReturns ? ['\r\n', '\n', '\r'] : ['\n'],
  });
  const lines = lineCounter(text.line);
  let rows: PlacedRow[] = [];
  let parsedBytes = 0;
  let tooLarge: string | undefined;
  // Records are taken as they are made: the queue of a stream would cost a tenth of the time, and forget the lines.
  parser.push = (cells: string[] | null): boolean => {
    if (cells === null) return true;
    const { bytes, lines: counted } = parser.info;
    const line = lines.startOf(cells, counted, hasCarriageReturns);
    if (bytes - parsedBytes > RECORD_BYTES_MAX) tooLarge ??= `is longer than ${RECORD_BYTES_MAX} bytes`;
    if (cells.length > RECORD_CELLS_MAX) tooLarge ??= `has more than ${RECORD_CELLS_MAX} cells`;
    if (tooLarge === undefined && !isBlankRow(cells))
      rows.push({ line, cells, offset: text.offset + parsedBytes });
    parsedBytes = bytes;
    return true;
  };
  const settled = <Value>(write: (done: (error?: Error | null) => void) => Value): Promise<void> =>
    new Promise((resolve, reject) => {
      write((error) => (error ? reject(error) : resolve()));
    });
  parser.on('error', () => {});
  const taken = (): readonly PlacedRow[] => {
    if (tooLarge !== undefined)
      throw beyondLimit(name, `the record that ends on line ${lines.next() - 1} ${tooLarge}`);
    const made = rows;
    rows = [];
    return made;
  };

  let writtenBytes = 0;
  try {
    for await (const piece of text.pieces) {
      await settled((done) => parser.write(piece, done));
      writtenBytes += piece.length;
      if (writtenBytes - parsedBytes > RECORD_BYTES_MAX + piece.length)
        throw beyondLimit(
          name,
          `the record that starts on line ${lines.next()} is longer than ${RECORD_BYTES_MAX} bytes`,
        );
      yield taken();
    }
    await settled((done) => parser.end(done));
    yield taken();
  } catch (error) {
    if (rows.length > 0) yield rows;
    if (error instanceof CsvError) throw damaged(name, lines.next(), error.code, error);
    throw error;
  } finally {
    parser.destroy();
  }
}

/** Physical lines, from the parser's count, which takes CR and LF inside a quoted cell for two. */
const lineCounter = (first: number) => {
  let next = first;
  let excess = 1 - first;
  return {
    /** The line on which the next record starts. */
    next: () => next,
    /** The line on which a record started, told when it ends. */
    startOf: (cells: readonly string[], counted: number, hasCarriageReturns: boolean): number => {
      const start = next;
      if (hasCarriageReturns && counted - excess > start) excess += cells.join().split('\r\n').length - 1;
      next = counted - excess + 1;
      return start;
    },
  };
};
