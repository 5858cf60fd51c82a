import { Readable } from 'node:stream';
import { DefectError } from '../../kernel/errors.ts';
import type { PlacedLink } from './draw-lines.ts';
import type { PlacedSheet, PlacedTable } from './layout.ts';
import type { References } from './references.ts';
import { rowWriter } from './row-xml.ts';
import { takeFrame } from './sheet-frame.ts';
import { sheetTail } from './sheet-tail.ts';
import { runningTotals } from './totals.ts';

const CHUNK_LENGTH = 65_536;

/** The rows of one table, handed on from part to part. */
export type RowSource = { next(): Promise<IteratorResult<unknown>> | IteratorResult<unknown> };

export const rowSource = (rows: Iterable<unknown> | AsyncIterable<unknown>): RowSource =>
  Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();

export type SheetStreamOptions = {
  /** The sheet as exceljs wrote it, with template rows in place of the real ones. */
  readonly template: string;
  readonly placed: PlacedTable;
  readonly rows: RowSource;
  readonly at: References;
  /** Links of the lines above the table. */
  readonly links: readonly PlacedLink[];
  readonly sheets: readonly PlacedSheet[];
};

/** The XML of a table's sheet, one piece at a time; never more of it in memory than a piece and the links. */
export const sheetStream = (options: SheetStreamOptions): Readable =>
  Readable.from(sheetPieces(options), { objectMode: false });

async function* sheetPieces({
  template,
  placed,
  rows,
  at,
  links,
  sheets,
}: SheetStreamOptions): AsyncGenerator<Buffer> {
  const frame = takeFrame(template, placed);
  const totals = runningTotals(placed.source.sheet.columns);
  const writer = rowWriter(placed, frame, at, totals);
  let piece = frame.head;
  for (let index = 0; index < placed.count; index += 1) {
    const next = await rows.next();
    if (next.done) throw wrongCount(placed, `only ${placed.offset + index} came`);
    piece += writer.write(next.value, placed.firstRow + index);
    if (piece.length >= CHUNK_LENGTH) {
      yield Buffer.from(piece);
      piece = '';
    }
  }
  if (placed.part === placed.parts && !(await rows.next()).done) throw wrongCount(placed, 'more came');
  if (placed.count === 0) piece += `<row r="${placed.firstRow}"/>`;
  piece += totals.rowXml(placed, frame);
  yield Buffer.from(piece + sheetTail(frame.tail, placed, [...links, ...writer.links], sheets));
}

const wrongCount = ({ source }: PlacedTable, came: string): DefectError =>
  new DefectError(`${source.sheet.name} was to have ${source.count} rows, and ${came}`);
