import type { Worksheet } from 'exceljs';
import { ruleOf } from './format.ts';
import { type PlacedTable, TITLE_MARGIN } from './layout.ts';
import { headerStyle, headingStyle, proseStyle, titleStyle } from './styles.ts';
import { lineCount, rowHeight, spreadsheetText } from './text.ts';

/** Space below the column titles, in points, where programs draw the filter buttons. */
const HEADER_PADDING = 6;

/** Draws a sheet of tables except for the tables' rows, which are streamed into the file later. */
export const drawTables = (worksheet: Worksheet, tables: readonly PlacedTable[]): void => {
  const [first] = tables;
  const xSplit = first?.source.sheet.freeze?.columns ?? 0;
  // With several tables, a frozen header would stay above the rows of the others.
  const keptRow = first && tables.length === 1 ? first.headerRow : 0;
  worksheet.columns = widest(tables).map(({ width }) => ({ width }));
  for (const placed of tables) {
    drawHead(worksheet, placed);
    drawHeader(worksheet, placed);
  }
  worksheet.views = [{ state: 'frozen', xSplit, ySplit: keptRow, showGridLines: false }];
  setUpPage(worksheet, keptRow);
  guard(worksheet);
};

const widest = (tables: readonly PlacedTable[]): PlacedTable['fits'] =>
  tables.reduce<PlacedTable['fits']>((most, { fits }) => (fits.length > most.length ? fits : most), []);

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
    cell.style = headerStyle(ruleOf(column.format).align);
    const room = (placed.fits[index]?.width ?? column.width) - TITLE_MARGIN;
    lines = Math.max(lines, lineCount(column.title, room));
  });
  worksheet.getRow(placed.headerRow).height = rowHeight(lines) + HEADER_PADDING;
};

/** Protects the sheet without a password: it prevents accidental edits, not deliberate ones. */
const guard = (worksheet: Worksheet): void => {
  void worksheet.protect('', {
    autoFilter: true,
    sort: true,
    formatColumns: true,
    formatRows: true,
  });
};

/** Excel's number for US Letter, the paper size of every sheet. */
const LETTER: number = 1;

const MARGINS = {
  left: 0.3,
  right: 0.3,
  top: 0.3,
  bottom: 0.4,
  header: 0.2,
  footer: 0.15,
};

/** Fits the sheet to the width of the page and repeats the header row. */
const setUpPage = (worksheet: Worksheet, repeatedRow: number): void => {
  worksheet.pageSetup = {
    paperSize: LETTER,
    orientation: 'landscape',
    fitToPage: true,
    fitToWidth: 1,
    fitToHeight: 0,
    margins: MARGINS,
    ...(repeatedRow > 0 && { printTitlesRow: `${repeatedRow}:${repeatedRow}` }),
  };
};

const FOOTER_NAME_MAX = 80;
/** Escapes `&`, which begins a code in a footer. */
const footerText = (text: string): string => text.slice(0, FOOTER_NAME_MAX).replaceAll('&', '&&');

/** Sets the footer of each page: file and owner, sheet name, page number. */
export const drawFooter = (worksheet: Worksheet, owner: string): void => {
  const left = owner === '' ? '&F' : `&F  ·  ${footerText(owner)}`;
  worksheet.headerFooter = { oddFooter: `&L&11${left}&C&11 &A&R&11Page &P of &N` };
};
