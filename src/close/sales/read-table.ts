import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, type Options, parse } from 'csv-parse';
import { ExportError } from './export-error.ts';
import { utf8Gate } from './utf8-gate.ts';

/** One record of a delimited file: its cells as text, and the physical line on which it starts, from 1. */
export type TableRow = { readonly line: number; readonly cells: readonly string[] };

/** Characters one record may have. A longer one is a broken quote, not a sale. */
const RECORD_LENGTH_MAX = 1_000_000;

type ParsedRow = { readonly info: { readonly lines: number }; readonly record: string[] };

/**
 * The records of a comma-separated UTF-8 file in order, blank lines left out.
 *
 * @throws {ExportError} when the file is missing, is not UTF-8 text, or its quoting is broken
 */
export async function* readTable(path: string, name: string): AsyncGenerator<TableRow> {
  const options: Options = {
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: RECORD_LENGTH_MAX,
  };
  const parser = parse(options);
  // An error of any part ends the parser with it, and so reaches whoever reads the rows.
  pipeline(createReadStream(path), utf8Gate(name), parser, () => {});
  let line = 1;
  try {
    for await (const row of parser as AsyncIterable<ParsedRow>) {
      yield { line, cells: row.record };
      line = row.info.lines + 1;
    }
  } catch (error) {
    throw readingError(error, name, line);
  }
}

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
