import type { Worksheet } from 'exceljs';
import { cellStyle, headerStyle, proseStyle, titleStyle, totalStyle } from './cell-style.ts';
import { TITLE_MARGIN } from './column-widths.ts';
import { addFlagConditions, drawLines, type PlacedLink } from './draw-lines.ts';
import { ruleOf } from './format.ts';
import type { PlacedTable } from './layout.ts';
import { setUpPage } from './page-setup.ts';
import { breakBeforeChart, isFollowedByChart } from './place-chart.ts';
import type { References } from './references.ts';
import type { Column } from './sheet.ts';
import { formatsOf, TEMPLATE_FLAGS, templateRow, templateTotalRow } from './sheet-frame.ts';
import { partName, quotedSheetName } from './spreadsheet-name.ts';
import { spreadsheetText } from './spreadsheet-text.ts';
import { lineCount, rowHeight } from './text-lines.ts';

/** Space above and below the titles, in points. */
const HEADER_PADDING = 5;

/** Draw everything of a table's sheet but its rows, which are streamed into the file afterwards. */
export const drawTable = (worksheet: Worksheet, placed: PlacedTable, at: References): PlacedLink[] => {
  const { sheet } = placed.source;
  worksheet.columns = placed.fits.map(({ width }) => ({ width }));
  drawHead(worksheet, placed);
  const links = drawLines(worksheet, placed.lines, placed.linesRow, { at, notes: 'overflow' });
  drawHeader(worksheet, placed);
  sheet.columns.forEach((column, index) => {
    drawTemplate(worksheet, placed, column, index);
    drawColumnTraits(worksheet, placed, column, index);
  });
  worksheet.views = [
    {
      state: 'frozen',
      xSplit: sheet.freeze?.columns ?? 0,
      ySplit: placed.headerRow,
      showGridLines: false,
    },
  ];
  setUpPage(worksheet, {
    ...(!isFollowedByChart(placed) && { repeatedRow: placed.headerRow }),
    pagesWide: sheet.pagesWide ?? 1,
    repeatedColumns: sheet.freeze?.columns ?? 0,
  });
  breakBeforeChart(worksheet, placed);
  if (sheet.protect ?? sheet.columns.some(({ formula }) => formula !== undefined)) guard(worksheet);
  return links;
};

/**
 * Title and notes. They flow over the columns beside them, so that on paper they would be cut off where columns are
 * repeated on a further page: there they stand behind those.
 */
const drawHead = (worksheet: Worksheet, { source: { sheet }, notes, part }: PlacedTable): void => {
  const column = (sheet.pagesWide ?? 1) > 1 ? (sheet.freeze?.columns ?? 0) + 1 : 1;
  const title = worksheet.getCell(1, column);
  const heading = sheet.title ?? sheet.name;
  title.value = spreadsheetText(part === 1 ? heading : `${heading} (${part})`);
  title.style = titleStyle;
  notes.forEach((note, index) => {
    const cell = worksheet.getCell(index + 2, column);
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
      const cell = worksheet.getCell(placed.headerRow + templateRow(formatIndex, flag), index + 1);
      cell.style = cellStyle(format, { ...traits, flag });
    }
  });
  const totalRow = placed.headerRow + templateTotalRow(placed.source.sheet.columns);
  const format = column.total === 'count' ? 'count' : column.format === 'mixed' ? 'text' : column.format;
  worksheet.getCell(totalRow, index + 1).style = totalStyle(format);
};

/** What hangs on a range of cells rather than on each: conditional formats, choices for the reviewer, names. */
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
    // The typings of exceljs 4.4 leave out the sheet's own list of validations, the only way to cover a range.
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

/** No password: the guard is against slips, not against people. */
export const guard = (worksheet: Worksheet): void => {
  void worksheet.protect('', {
    autoFilter: true,
    sort: true,
    formatColumns: true,
    formatRows: true,
  });
};
