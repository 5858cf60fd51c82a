import { recordSplitter, type SplitterOptions } from './record-splitter.ts';
import type { TableRow } from './table-row.ts';

/**
 * The records of delimited text in order, as many at a time as a piece of the text ends; blank ones are left out.
 * Lines may end in any of the three ways, even in one file.
 *
 * @throws {ExportError} when the quoting is broken, or a record is beyond the limits
 */
export async function* delimitedRows(
  pieces: AsyncIterable<string>,
  options: SplitterOptions,
): AsyncGenerator<readonly TableRow[]> {
  const { take } = recordSplitter(options);
  for await (const piece of pieces) yield* take(piece);
  yield* take(undefined);
}
