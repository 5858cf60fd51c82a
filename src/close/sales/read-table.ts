import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, type Options, parse } from 'csv-parse';
import { ExportError } from './export-error.ts';
import { utf8Gate } from './utf8-gate.ts';

/** One record of a delimited file: its cells as text, and the physical line on which it starts, from 1. */
export type TableRow = { readonly line: number; readonly cells: readonly string[] };

/** Characters one record may have. A longer one is a broken quote, not a sale. */
const RECORD_LENGTH_MAX = 1_000_000;

/**
 * The records of a comma-separated UTF-8 file in order; lines that are blank, or have nothing but commas, are left
 * out. Lines may end in any of the three ways, even in one file.
 *
 * @throws {ExportError} when the file is missing, is not UTF-8 text, or its quoting is broken
 */
export async function* readTable(path: string, name: string): AsyncGenerator<TableRow> {
  const lines = lineCounter();
  const options: Options<TableRow, string[]> = {
    bom: true,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: RECORD_LENGTH_MAX,
    on_record: (cells, { lines: counted }) => {
      const line = lines.startOf(cells, counted);
      return cells.some((cell) => cell.trim() !== '') ? { line, cells } : null;
    },
  };
  // The types of the package do not foresee that `on_record` gives something else than a list of cells.
  const parser = parse(options as object);
  // An error of any part ends the parser with it, and so reaches whoever reads the rows.
  pipeline(createReadStream(path), utf8Gate(name), parser, () => {});
  try {
    for await (const row of parser as AsyncIterable<TableRow>) yield row;
  } catch (error) {
    throw readingError(error, name, lines.next());
  }
}

/** Physical lines, from the parser's count, which takes CR and LF inside a quoted cell for two. */
const lineCounter = () => {
  let next = 1;
  let excess = 0;
  return {
    /** The line on which the next record starts. */
    next: () => next,
    /** The line on which a record started, told when it ends. */
    startOf: (cells: readonly string[], counted: number): number => {
      const start = next;
      if (counted - excess > start) excess += cells.join().split('\r\n').length - 1;
      next = counted - excess + 1;
      return start;
    },
  };
};

const readingError = (error: unknown, name: string, line: number): unknown => {
  if (error instanceof CsvError) {
    const rule = `the record that starts on line ${line} is damaged (${error.code})`;
    return new ExportError(
      'E_EXPORT_DAMAGED',
      name,
      rule,
      'Export the file again and do not edit it.',
      error,
    );
  }
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') {
    return new ExportError(
      'E_EXPORT_MISSING',
      name,
      'there is no such file',
      'Check `files` of the channel in the configuration.',
      error,
    );
  }
  if (code === 'EISDIR' || code === 'EACCES') {
    return new ExportError(
      'E_EXPORT_UNREADABLE',
      name,
      `it cannot be read (${code})`,
      'Give a file that this user may read.',
      error,
    );
  }
  return error;
};
