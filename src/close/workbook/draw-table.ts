import type { Worksheet } from 'exceljs';
import { headerStyle, headingStyle, proseStyle, titleStyle } from './cell-style.ts';
import { TITLE_MARGIN } from './column-widths.ts';
import { addFlagConditions, drawLines, type PlacedLink } from './draw-lines.ts';
import { ruleOf } from './format.ts';
import { type PlacedTable, tablesOn } from './layout.ts';
import { type PageOptions, setUpPage } from './page-setup.ts';
import type { References } from './references.ts';
import type { Column } from './sheet.ts';
import { spreadsheetText } from './spreadsheet-text.ts';
import { lineCount, rowHeight } from './text-lines.ts';

/** Space below the column titles, in points, where programs draw the filter buttons. */
const HEADER_PADDING = 6;

/** Draws a sheet of tables except for the tables' rows, which are streamed into the file later. */
export const drawTables = (
  worksheet: Worksheet,
  first: PlacedTable,
  atOf: (placed: PlacedTable) => References,
): PlacedLink[] => {
  const { sheet } = first.source;
  const tables = tablesOn(first);
  // With several tables, a frozen header would stay above the rows of the others.
  const keptRow = tables.length === 1 ? first.headerRow : 0;
  worksheet.columns = widest(tables).map(({ width }) => ({ width }));
  const links = tables.flatMap((placed) => drawTable(worksheet, placed, atOf(placed)));
  worksheet.views = [
    { state: 'frozen', xSplit: sheet.freeze?.columns ?? 0, ySplit: keptRow, showGridLines: false },
  ];
  setUpPage(worksheet, {
    ...(keptRow > 0 && { repeatedRow: keptRow }),
    ...longScale(tables),
  });
  if (tables.some(isGuarded)) guard(worksheet);
  return links;
};

/** Rows that a page has at full size. */
const PAGE_ROWS = 34;
/** The scales, in percent, at which sheets of several pages are printed, and the width that a page has room for then. */
const LONG_SCALES = [
  { scale: 70, widthMax: 145, orientation: 'portrait' },
  { scale: 70, widthMax: 190, orientation: 'landscape' },
  { scale: 64, widthMax: 208, orientation: 'landscape' },
] as const;

/** Returns how a sheet of several pages is printed: a narrow one smaller, and so on fewer pages. */
const longScale = (tables: readonly PlacedTable[]): Pick<PageOptions, 'scale' | 'orientation'> => {
  const width = widest(tables).reduce((sum, fit) => sum + fit.width, 0);
  const isLong = (tables.at(-1)?.lastRow ?? 0) > PAGE_ROWS;
  const found = LONG_SCALES.find(({ widthMax }) => isLong && width <= widthMax);
  return found ? { scale: found.scale, orientation: found.orientation } : {};
};

const widest = (tables: readonly PlacedTable[]): PlacedTable['fits'] =>
  tables.reduce<PlacedTable['fits']>((most, { fits }) => (fits.length > most.length ? fits : most), []);

/** Whether the table has computed columns. */
const isGuarded = ({ source: { sheet } }: PlacedTable): boolean =>
  sheet.columns.some(({ formula }) => formula !== undefined);

const drawTable = (worksheet: Worksheet, placed: PlacedTable, at: References): readonly PlacedLink[] => {
  drawHead(worksheet, placed);
  const links = drawLines(worksheet, placed, at);
  drawHeader(worksheet, placed);
  placed.source.sheet.columns.forEach((column, index) => {
    drawColumnTraits(worksheet, placed, column, index);
  });
  return links;
};

/** Draws the title and the notes. */
const drawHead = (worksheet: Worksheet, { source: { sheet }, titleRow, notes }: PlacedTable): void => {
  const title = worksheet.getCell(titleRow, 1);
  title.value = spreadsheetText(sheet.title ?? sheet.name);
  title.style = titleRow === 1 ? titleStyle : headingStyle;
  notes.forEach((note, index) => {
    const cell = worksheet.getCell(titleRow + index + 1, 1);
    cell.value = spreadsheetText(note);
    cell.style = proseStyle;
  });
};

const drawHeader = (worksheet: Worksheet, placed: PlacedTable): void => {
  const { columns } = placed.source.sheet;
  worksheet.addTable({
    name: placed.source.table,
    ref: `A${placed.headerRow}`,
    headerRow: true,
    columns: columns.map(({ title }) => ({ name: title })),
    rows: [],
  });
  let lines = 1;
  columns.forEach((column, index) => {
    const cell = worksheet.getCell(placed.headerRow, index + 1);
    cell.style = headerStyle(column.format === 'mixed' ? 'right' : ruleOf(column.format).align);
    if (column.note !== undefined) cell.note = spreadsheetText(column.note);
    const room = (placed.fits[index]?.width ?? column.width) - TITLE_MARGIN;
    lines = Math.max(lines, lineCount(column.title, room));
  });
  worksheet.getRow(placed.headerRow).height = rowHeight(lines) + HEADER_PADDING;
};

/** Adds to each column the conditional formats of its cells. */
const drawColumnTraits = (
  worksheet: Worksheet,
  placed: PlacedTable,
  column: Column<unknown>,
  index: number,
): void => {
  const { letter } = worksheet.getColumn(index + 1);
  const first = `${letter}${placed.firstRow}`;
  const range = `${first}:${letter}${placed.lastRow}`;
  const format = column.format === 'mixed' ? 'text' : column.format;
  addFlagConditions(worksheet, range, first, format, column.flagWhen);
};

/** Protects the sheet without a password: it prevents accidental edits, not deliberate ones. */
export const guard = (worksheet: Worksheet): void => {
  void worksheet.protect('', {
    autoFilter: true,
    sort: true,
    formatColumns: true,
    formatRows: true,
  });
};
