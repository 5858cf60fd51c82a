import { DefectError } from '../../kernel/errors.ts';
import type { PlacedLink } from './draw-lines.ts';
import { LINKS_MAX, type PlacedSheet, type PlacedTable } from './layout.ts';
import type { References } from './references.ts';
import { type RowsGiven, rowWriter } from './row-xml.ts';
import type { FilledSheet } from './sheet.ts';
import { takeFrame } from './sheet-frame.ts';
import { sheetTail } from './sheet-tail.ts';
import { columnLetter } from './spreadsheet-name.ts';
import { xmlText } from './spreadsheet-text.ts';
import { TOTAL_LABEL, totalRowXml } from './totals.ts';

/** Characters per piece: smaller pieces compress less well, and larger ones take more memory. */
const PIECE_LENGTH = 262_144;

export type TableGiven = Omit<RowsGiven, 'linksMax'>;

export type SheetGiven = {
  /** The sheet as exceljs wrote it, without the rows of its tables. */
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
  const { heads, tail } = takeFrame(
    template,
    tables.map(({ placed }) => placed),
  );
  const found = [...links];
  for (const [index, given] of tables.entries()) {
    yield Buffer.from(heads[index] ?? '');
    const placed = yield* tablePieces({ ...given, linksMax: LINKS_MAX - found.length });
    for (const link of placed) found.push(link);
  }
  const [first] = tables;
  if (first) yield Buffer.from(sheetTail(tail, first.placed, found, sheets));
}

/** Yields the rows and totals of one table and returns the links of its rows. */
async function* tablePieces(given: RowsGiven): AsyncGenerator<Uint8Array, readonly PlacedLink[]> {
  const { placed, styles } = given;
  const { source } = placed;
  const rows = rowWriter(given);
  let count = 0;
  for await (const page of source.pages) {
    if (count + page.length > source.count) throw wrongCount(source, 'more came');
    for (const row of page) {
      rows.write(row, placed.firstRow + count);
      count += 1;
      if (rows.waiting() >= PIECE_LENGTH) yield rows.take();
    }
  }
  if (count < source.count) throw wrongCount(source, `only ${count} came`);
  yield rows.take();
  const blank = count === 0 ? `<row r="${placed.firstRow}"/>` : '';
  yield Buffer.from(blank + totalRowXml(placed, styles, rows.sums));
  return rows.links;
}

const wrongCount = ({ sheet, count }: FilledSheet, came: string): DefectError =>
  new DefectError(`${sheet.name} was to have ${count} rows, and ${came}`);

/**
 * Builds the part of the package for a table. It replaces the one from exceljs, which has neither the true number of
 * rows nor the formulas that fill whole columns.
 */
export const tableXml = (placed: PlacedTable, id: number, at: References): string => {
  const { table } = placed.source;
  const { columns } = placed.source.sheet;
  const lastColumn = columnLetter(columns.length);
  const corner = `A${placed.headerRow}`;
  const fields = columns.map((column, index) => {
    const total =
      placed.totalRow === undefined
        ? ''
        : index === 0
          ? ` totalsRowLabel="${TOTAL_LABEL}"`
          : column.total === undefined
            ? ''
            : ` totalsRowFunction="${column.total}"`;
    const open = `<tableColumn id="${index + 1}" name="${xmlText(column.title)}"${total}`;
    if (!column.formula) return `${open}/>`;
    const formula = xmlText(column.formula(at));
    return `${open}><calculatedColumnFormula>${formula}</calculatedColumnFormula></tableColumn>`;
  });
  const totals = placed.totalRow === undefined ? 'totalsRowShown="0"' : 'totalsRowCount="1"';
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
    '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"',
    ` id="${id}" name="${table}" displayName="${table}"`,
    ` ref="${corner}:${lastColumn}${placed.totalRow ?? placed.lastRow}" headerRowCount="1" ${totals}>`,
    `<autoFilter ref="${corner}:${lastColumn}${placed.lastRow}"/>`,
    `<tableColumns count="${columns.length}">${fields.join('')}</tableColumns>`,
    '<tableStyleInfo name="TableStyleLight1" showFirstColumn="0" showLastColumn="0"',
    ' showRowStripes="1" showColumnStripes="0"/></table>',
  ].join('');
};
