import type { Worksheet } from 'exceljs';
import { cellStyle, headerStyle, headingStyle, proseStyle, titleStyle, totalStyle } from './cell-style.ts';
import { TITLE_MARGIN } from './column-widths.ts';
import { addFlagConditions, drawLines, type PlacedLink } from './draw-lines.ts';
import { ruleOf } from './format.ts';
import { type PlacedTable, tablesOn } from './layout.ts';
import { pageHeight, setUpPage } from './page-setup.ts';
import type { References } from './references.ts';
import { lineCounter } from './row-xml.ts';
import type { Column } from './sheet.ts';
import { partName, quotedSheetName } from './spreadsheet-name.ts';
import { spreadsheetText } from './spreadsheet-text.ts';
import { formatsOf, TEMPLATE_FLAGS, templateRow, templateRows } from './template-rows.ts';
import { lineCount, rowHeight } from './text-lines.ts';

/** Space above and below the column titles, in points. */
const HEADER_PADDING = 5;

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
  // Sheet titles overflow into the columns to their right; in repeated columns they would be cut off on further pages.
  const titleColumn = (sheet.pagesWide ?? 1) > 1 ? (sheet.freeze?.columns ?? 0) + 1 : 1;
  const links = tables.flatMap((placed) => drawTable(worksheet, placed, { at: atOf(placed), titleColumn }));
  worksheet.views = [
    { state: 'frozen', xSplit: sheet.freeze?.columns ?? 0, ySplit: keptRow, showGridLines: false },
  ];
  setUpPage(worksheet, {
    ...(keptRow > 0 && { repeatedRow: keptRow }),
    pagesWide: sheet.pagesWide ?? 1,
    repeatedColumns: sheet.freeze?.columns ?? 0,
  });
  breakPages(worksheet, tables);
  if (tables.some(isGuarded)) guard(worksheet);
  return links;
};

const widest = (tables: readonly PlacedTable[]): PlacedTable['fits'] =>
  tables.reduce<PlacedTable['fits']>((most, { fits }) => (fits.length > most.length ? fits : most), []);

const isGuarded = ({ source: { sheet } }: PlacedTable): boolean =>
  sheet.protect ?? sheet.columns.some(({ formula }) => formula !== undefined);

const drawTable = (
  worksheet: Worksheet,
  placed: PlacedTable,
  { at, titleColumn }: { readonly at: References; readonly titleColumn: number },
): readonly PlacedLink[] => {
  drawHead(worksheet, placed, titleColumn);
  const links = drawLines(worksheet, placed.lines, placed.linesRow, { at, notes: 'overflow' });
  drawHeader(worksheet, placed);
  placed.source.sheet.columns.forEach((column, index) => {
    drawTemplate(worksheet, placed, column, index);
    drawColumnTraits(worksheet, placed, column, index);
  });
  return links;
};

/** Draws the title and the notes. */
const drawHead = (
  worksheet: Worksheet,
  { source: { sheet }, titleRow, notes, part }: PlacedTable,
  column: number,
): void => {
  const title = worksheet.getCell(titleRow, column);
  const heading = sheet.title ?? sheet.name;
  title.value = spreadsheetText(part === 1 ? heading : `${heading} (${part})`);
  title.style = titleRow === 1 ? titleStyle : headingStyle;
  notes.forEach((note, index) => {
    const cell = worksheet.getCell(titleRow + index + 1, column);
    cell.value = spreadsheetText(note);
    cell.style = proseStyle;
  });
};

const drawHeader = (worksheet: Worksheet, placed: PlacedTable): void => {
  const { columns } = placed.source.sheet;
  worksheet.addTable({
    name: placed.table,
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

const drawTemplate = (
  worksheet: Worksheet,
  placed: PlacedTable,
  column: Column<unknown>,
  index: number,
): void => {
  const wrap = placed.fits[index]?.wrap ?? false;
  const traits = { wrap, review: column.review !== undefined, link: column.link !== undefined };
  formatsOf(column).forEach((format, formatIndex) => {
    for (const flag of TEMPLATE_FLAGS) {
      const cell = worksheet.getCell(placed.templateRow + templateRow(formatIndex, flag), index + 1);
      cell.style = cellStyle(format, { ...traits, flag });
    }
  });
  const totalRow = placed.templateRow + templateRows(placed.source.sheet.columns);
  const format = column.total === 'count' ? 'count' : column.format === 'mixed' ? 'text' : column.format;
  worksheet.getCell(totalRow, index + 1).style = totalStyle(format);
};

/** Adds to each column whatever applies to a range of cells: conditional formats, choices for the reviewer, names. */
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
  if (column.review !== undefined && column.review !== 'free') {
    // The typings of exceljs 4.4 omit the sheet's own list of validations, the only way to cover a range.
    (worksheet as unknown as ValidatedSheet).dataValidations.add(range, {
      type: 'list',
      allowBlank: true,
      formulae: [`"${column.review.join(',')}"`],
      showErrorMessage: true,
      errorTitle: column.title,
      error: `Choose one of: ${column.review.join(', ')}.`,
    });
  }
  if (column.totalName !== undefined && placed.totalRow !== undefined) {
    const name = partName(column.totalName, placed.part);
    worksheet.workbook.definedNames.add(
      `${quotedSheetName(worksheet.name)}!$${letter}$${placed.totalRow}`,
      name,
    );
  }
};

export type ValidatedSheet = { readonly dataValidations: { add(range: string, validation: object): void } };

/** Protects the sheet without a password: it prevents accidental edits, not deliberate ones. */
export const guard = (worksheet: Worksheet): void => {
  void worksheet.protect('', {
    autoFilter: true,
    sort: true,
    formatColumns: true,
    formatRows: true,
  });
};

const POINTS_PER_PIXEL = 0.75;

/**
 * Share of a page that is safe to fill. Programs differ by pixels, and substitute fonts change how much fits a page.
 */
const SURE_PART = 0.97;

/** The last column in Excel's file format, counting from 0: a page break spans all columns. */
const LAST_COLUMN = 16_383;

/**
 * Inserts a page break before a stacked table that may not fit below the tables above it: its header would be left
 * alone at the foot of their page.
 */
const breakPages = (worksheet: Worksheet, tables: readonly PlacedTable[]): void => {
  const width = Math.max(...tables.map(tableWidth)) / (tables[0]?.source.sheet.pagesWide ?? 1);
  const page = pageHeight(width) * POINTS_PER_PIXEL * SURE_PART;
  let used = 0;
  for (const placed of tables) {
    const height = heightOf(worksheet, placed);
    const isBroken = used > 0 && used + height > page;
    if (isBroken) breakAfter(worksheet, placed.titleRow - 1);
    used = isBroken ? height : used + height;
  }
};

/** Pixels of a character, and of a column's margins. */
const CHARACTER_PIXELS = 7;
const MARGIN_PIXELS = 5;

/** The width of a table in pixels of 1/96 inch. */
const tableWidth = ({ fits }: PlacedTable): number =>
  fits.reduce((sum, { width }) => sum + width * CHARACTER_PIXELS + MARGIN_PIXELS, 0);

/** The height of a table, in points, from the blank rows above the title to the totals. */
const heightOf = (worksheet: Worksheet, placed: PlacedTable): number => {
  const { titleRow, headerRow, firstRow, lastRow, totalRow, source } = placed;
  let height = rowHeight((totalRow ?? lastRow) - lastRow + 2);
  for (let row = titleRow; row <= headerRow; row += 1) height += worksheet.getRow(row).height ?? rowHeight(1);
  if (!source.rows) return height + rowHeight(1) * (lastRow - firstRow + 1);
  const linesOf = lineCounter(placed);
  for (const row of source.rows) height += rowHeight(linesOf(row));
  return height;
};

/** The typings of exceljs 4.4 have only the breaks of rows that it writes itself. */
type BrokenSheet = { readonly rowBreaks: { id: number; max: number; man: number }[] };

const breakAfter = (worksheet: Worksheet, id: number): void => {
  (worksheet as unknown as BrokenSheet).rowBreaks.push({ id, max: LAST_COLUMN, man: 1 });
};
