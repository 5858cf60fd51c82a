import { type References, resolveFormula } from './references.ts';
import type { RowLook } from './row-look.ts';
import { rowWriter, type WrittenRows } from './row-xml.ts';
import type { TableSheet } from './sheet.ts';

/** Between two pieces the rows are handed on; smaller ones cost more of the compression's time than of memory. */
const PIECE_LENGTH = 262_144;

/** Where the next rows of a table go. */
export type RowsPlace = {
  readonly look: RowLook;
  /** Number of the first one in its sheet. */
  readonly firstRow: number;
  /** Rows for which there is room: as many are to come, or all that are left. */
  readonly rowsMax: number;
};

/** The rows of one table, written piece by piece and handed on from sheet to sheet. */
export type RowSource = (place: RowsPlace, at: References) => AsyncIterable<WrittenRows>;

/** The rows of a table as they pass by. */
export const rowsOneByOne = (
  sheet: TableSheet<unknown>,
  rows: Iterable<unknown> | AsyncIterable<unknown>,
): RowSource => {
  const source = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  return async function* ({ look, firstRow, rowsMax }, at) {
    const writer = rowWriter(sheet, look, (text) => resolveFormula(text, at));
    for (let index = 0; index < rowsMax; index += 1) {
      const next = await source.next();
      if (next.done) break;
      writer.write(next.value, firstRow + index);
      if (writer.waiting() >= PIECE_LENGTH) yield writer.take();
    }
    yield writer.take();
  };
};
