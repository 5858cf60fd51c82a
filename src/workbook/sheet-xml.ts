import { DefectError } from '../kernel/errors.ts';
import type { References } from './cell.ts';
import { type PlacedSheet, type PlacedTable, tablesOn } from './layout.ts';
import { type RowsGiven, rowWriter, TOTAL_LABEL, totalRowXml } from './row-xml.ts';
import type { FilledSheet } from './sheet.ts';
import { columnLetter, xmlText } from './text.ts';

/** Characters per piece: smaller pieces compress less well, and larger ones take more memory. */
const PIECE_LENGTH = 262_144;

export type SheetGiven = {
  /** The sheet as exceljs wrote it, without the rows of its tables. */
  readonly template: string;
  /** The tables of the sheet, from top to bottom. */
  readonly tables: readonly RowsGiven[];
};

/** Yields the XML of a sheet of tables in pieces. Only one piece is in memory at a time. */
export async function* sheetPieces({ template, tables }: SheetGiven): AsyncGenerator<Uint8Array> {
  const { heads, tail } = takeFrame(
    template,
    tables.map(({ placed }) => placed),
  );
  for (const [index, given] of tables.entries()) {
    yield Buffer.from(heads[index] ?? '');
    yield* tablePieces(given);
  }
  const [first] = tables;
  if (first) yield Buffer.from(sheetTail(tail, first.placed));
}

/** Yields the rows and totals of one table. */
async function* tablePieces(given: RowsGiven): AsyncGenerator<Uint8Array> {
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

/** The XML of a sheet of tables as exceljs wrote it, split where the tables' rows belong. */
export type SheetFrame = {
  /** For each table, the XML before its rows: from the start of the sheet, or from the end of the table above. */
  readonly heads: readonly string[];
  /** The XML after the last rows. */
  readonly tail: string;
};

const SHEET_DATA = /<sheetData>(.*)<\/sheetData>/s;
const ROW = /<row r="(\d+)"[^>]*?(?:\/>|>.*?<\/row>)/gs;
const DIMENSION = /<dimension ref="[^"]*"\/>/;

/** @throws {DefectError} when the sheet lacks an expected part. */
export const takeFrame = (xml: string, tables: readonly PlacedTable[]): SheetFrame => {
  const data = SHEET_DATA.exec(xml);
  if (!data) throw new DefectError(`the sheet ${tables[0]?.sheetName} was written without rows`);
  const rows = [...(data[1] ?? '').matchAll(ROW)].map(([row, number]) => ({ row, number: Number(number) }));
  const width = Math.max(...tables.map(({ source }) => source.sheet.columns.length));
  const last = tables.at(-1);
  const corner = `${columnLetter(width)}${last?.totalRow ?? last?.lastRow}`;
  const before = xml.slice(0, data.index).replace(DIMENSION, `<dimension ref="A1:${corner}"/>`);
  const heads = tables.map(({ headerRow }, index) => {
    const above = tables[index - 1]?.lastRow ?? 0;
    const own = rows.filter(({ number }) => number > above && number <= headerRow).map(({ row }) => row);
    return `${index === 0 ? `${before}<sheetData>` : ''}${own.join('')}`;
  });
  return { heads, tail: `</sheetData>${xml.slice(data.index + data[0].length)}` };
};

/** The elements that follow the suppressed warnings; every sheet with a table has a table part. */
const AFTER_WARNINGS = /<legacyDrawing|<tableParts|<\/worksheet>/;
/** exceljs puts the drawing of the header notes after the table part, where Excel reports a damaged file. */
const NOTES_BEHIND_TABLE = /(<tableParts.*?<\/tableParts>)(<legacyDrawing [^>]*\/>)/s;

/** Completes the XML that exceljs wrote after a sheet's rows with what it cannot write. */
export const sheetTail = (tail: string, sheet: PlacedSheet): string =>
  tail.replace(NOTES_BEHIND_TABLE, '$2$1').replace(AFTER_WARNINGS, (found) => warningsXml(sheet) + found);

/**
 * Suppresses warnings: identifiers are numbers stored as text on purpose, and Excel would mark every one as an error.
 */
const warningsXml = (sheet: PlacedSheet): string => {
  const ranges = identifierRanges(sheet);
  if (ranges.length === 0) return '';
  return `<ignoredErrors><ignoredError sqref="${ranges.join(' ')}" numberStoredAsText="1"/></ignoredErrors>`;
};

const identifierRanges = (sheet: PlacedSheet): readonly string[] => {
  if (sheet.kind === 'laid-out') {
    return sheet.grids.map(
      ({ grid, firstRow, lastRow }) => `A${firstRow}:${columnLetter(grid.columns.length)}${lastRow}`,
    );
  }
  return tablesOn(sheet).flatMap(({ source, firstRow, lastRow }) =>
    source.sheet.columns.flatMap(({ format }, index) => {
      const letter = columnLetter(index + 1);
      return format === 'id' ? [`${letter}${firstRow}:${letter}${lastRow}`] : [];
    }),
  );
};
