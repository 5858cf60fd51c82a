import { DefectError } from '../../kernel/errors.ts';
import type { PlacedLink } from './draw-lines.ts';
import { LINKS_MAX, type PlacedSheet, type PlacedTable } from './layout.ts';
import type { References } from './references.ts';
import { type RowsGiven, rowWriter } from './row-xml.ts';
import type { RowPages } from './sheet.ts';
import { takeFrame } from './sheet-frame.ts';
import { sheetTail } from './sheet-tail.ts';
import { columnLetter } from './spreadsheet-name.ts';
import { xmlText } from './spreadsheet-text.ts';
import { totalLabel, totalRowXml } from './totals.ts';

/** Characters per piece: smaller pieces compress less well, and larger ones take more memory. */
const PIECE_LENGTH = 262_144;

/** Takes up to so many rows of a table, page by page. */
export type TakeRows = (rowsMax: number) => AsyncGenerator<readonly unknown[]>;

/** Hands out the rows of a table, page by page, to one sheet after the other. */
export const rowTaker = (pages: RowPages<unknown>): TakeRows => {
  const source = Symbol.asyncIterator in pages ? pages[Symbol.asyncIterator]() : pages[Symbol.iterator]();
  let rest: readonly unknown[] = [];
  return async function* (rowsMax) {
    for (let room = rowsMax; room > 0; ) {
      if (rest.length === 0) {
        const next = await source.next();
        if (next.done) return;
        rest = next.value;
      }
      const taken = rest.length > room ? rest.slice(0, room) : rest;
      rest = rest.length > room ? rest.slice(room) : [];
      room -= taken.length;
      yield taken;
    }
  };
};

export type TableGiven = Omit<RowsGiven, 'frame' | 'linksMax'> & { readonly take: TakeRows };

export type SheetGiven = {
  /** The sheet as exceljs wrote it, with template rows instead of the real ones. */
  readonly template: string;
  /** The tables of the sheet, from top to bottom. */
  readonly tables: readonly TableGiven[];
  /** Links of the lines above the tables. */
  readonly links: readonly PlacedLink[];
  readonly sheets: readonly PlacedSheet[];
};

/** Yields the XML of a sheet of tables in pieces. Only one piece and the links are in memory at a time. */
export async function* sheetPieces({
  template,
  tables,
  links,
  sheets,
}: SheetGiven): AsyncGenerator<Uint8Array> {
  const frames = takeFrame(
    template,
    tables.map(({ placed }) => placed),
  );
  const found = [...links];
  for (const [index, given] of tables.entries()) {
    const frame = frames.tables[index];
    if (!frame) continue;
    const placed = yield* tablePieces({ ...given, frame, linksMax: LINKS_MAX - found.length });
    for (const link of placed) found.push(link);
  }
  const [first] = tables;
  if (first) yield Buffer.from(sheetTail(frames.tail, first.placed, found, sheets));
}

/** Yields the head, rows and totals of one table and returns the links of its rows. */
async function* tablePieces({
  take,
  ...given
}: TableGiven & RowsGiven): AsyncGenerator<Uint8Array, readonly PlacedLink[]> {
  const { placed, frame } = given;
  const rows = rowWriter(given);
  let count = 0;
  yield Buffer.from(frame.head);
  // The last part asks for all remaining rows, so that surplus rows are noticed there.
  const rowsMax = placed.part === placed.parts ? Number.POSITIVE_INFINITY : placed.count;
  for await (const page of take(rowsMax)) {
    if (count + page.length > placed.count) throw wrongCount(placed, 'more came');
    for (const row of page) {
      rows.write(row, placed.firstRow + count);
      count += 1;
      if (rows.waiting() >= PIECE_LENGTH) yield rows.take();
    }
  }
  if (count < placed.count) throw wrongCount(placed, `only ${placed.offset + count} came`);
  yield rows.take();
  const blank = count === 0 ? `<row r="${placed.firstRow}"/>` : '';
  yield Buffer.from(blank + totalRowXml(placed, frame, rows.sums));
  return rows.links;
}

const wrongCount = ({ source }: PlacedTable, came: string): DefectError =>
  new DefectError(`${source.sheet.name} was to have ${source.count} rows, and ${came}`);

const TOTAL_FUNCTIONS = { sum: 'sum', count: 'count' } as const;

/**
 * Builds the part of the package for a table. It replaces the one from exceljs, which has neither the true number of
 * rows nor the formulas that fill whole columns.
 */
export const tableXml = (placed: PlacedTable, id: number, at: References): string => {
  const { columns } = placed.source.sheet;
  const lastColumn = columnLetter(columns.length);
  const corner = `A${placed.headerRow}`;
  const fields = columns.map((column, index) => {
    const total =
      placed.totalRow === undefined
        ? ''
        : index === 0
          ? ` totalsRowLabel="${xmlText(totalLabel(placed))}"`
          : column.total === undefined
            ? ''
            : ` totalsRowFunction="${TOTAL_FUNCTIONS[column.total]}"`;
    const open = `<tableColumn id="${index + 1}" name="${xmlText(column.title)}"${total}`;
    if (!column.formula) return `${open}/>`;
    const formula = xmlText(column.formula(at));
    return `${open}><calculatedColumnFormula>${formula}</calculatedColumnFormula></tableColumn>`;
  });
  const totals = placed.totalRow === undefined ? 'totalsRowShown="0"' : 'totalsRowCount="1"';
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
    '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"',
    ` id="${id}" name="${placed.table}" displayName="${placed.table}"`,
    ` ref="${corner}:${lastColumn}${placed.totalRow ?? placed.lastRow}" headerRowCount="1" ${totals}>`,
    `<autoFilter ref="${corner}:${lastColumn}${placed.lastRow}"/>`,
    `<tableColumns count="${columns.length}">${fields.join('')}</tableColumns>`,
    '<tableStyleInfo name="TableStyleLight1" showFirstColumn="0" showLastColumn="0"',
    ' showRowStripes="1" showColumnStripes="0"/></table>',
  ].join('');
};
