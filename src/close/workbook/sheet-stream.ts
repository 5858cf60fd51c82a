import { Readable } from 'node:stream';
import { DefectError } from '../../kernel/errors.ts';
import type { PlacedLink } from './draw-lines.ts';
import type { PlacedSheet, PlacedTable } from './layout.ts';
import type { References } from './references.ts';
import { rowLook } from './row-look.ts';
import type { RowSource } from './row-source.ts';
import { takeFrame } from './sheet-frame.ts';
import { sheetTail } from './sheet-tail.ts';
import { columnSums, totalRowXml } from './totals.ts';

/** Static links in one sheet of Excel's file format. */
const LINKS_MAX = 65_530;

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

/** The XML of a table's sheet, one piece at a time; never more of it in memory than some pieces and the links. */
export const sheetStream = (options: SheetStreamOptions): Readable =>
  Readable.from(sheetPieces(options), { objectMode: false });

async function* sheetPieces({
  template,
  placed,
  rows,
  at,
  links,
  sheets,
}: SheetStreamOptions): AsyncGenerator<Uint8Array> {
  const frame = takeFrame(template, placed);
  const { source, offset, firstRow } = placed;
  const sums = columnSums(source.sheet.columns);
  const allLinks = [...links];
  const linksMax = links.length + LINKS_MAX;
  // What is too much is noticed in the last part, which asks for all that are left.
  const rowsMax = placed.part === placed.parts ? Number.POSITIVE_INFINITY : placed.count;
  let count = 0;
  yield Buffer.from(frame.head);
  for await (const written of rows({ look: rowLook(placed, frame, at), firstRow, rowsMax }, at)) {
    count += written.count;
    if (count > placed.count) throw wrongCount(placed, 'more came');
    sums.addAll(written.sums);
    allLinks.push(...written.links);
    if (allLinks.length > linksMax)
      throw new DefectError(`${placed.sheetName}: a sheet holds ${LINKS_MAX} links at most`);
    yield written.xml;
  }
  if (count < placed.count) throw wrongCount(placed, `only ${offset + count} came`);
  const blank = count === 0 ? `<row r="${firstRow}"/>` : '';
  const totals = totalRowXml(placed, frame, sums);
  yield Buffer.from(blank + totals + sheetTail(frame.tail, placed, allLinks, sheets));
}

const wrongCount = ({ source }: PlacedTable, came: string): DefectError =>
  new DefectError(`${source.sheet.name} was to have ${source.count} rows, and ${came}`);
