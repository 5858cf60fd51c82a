import type { Cell, Worksheet } from 'exceljs';
import { type References, shownValue } from './cell.ts';
import { cellValue, guard, setUpPage } from './draw-table.ts';
import { gridRange, type PlacedGrid, type PlacedLaidOut } from './layout.ts';
import type { Card, GridCell, GridRow, Link } from './sheet.ts';
import { cardStyle, gridHeaderStyle, gridStyle, headingStyle, remarkStyle, titleStyle } from './styles.ts';
import { lineCount, lineLength, quotedSheetName, rowHeight, spreadsheetText, textLines } from './text.ts';

/** Heights in points. */
const HEIGHTS = {
  title: 32,
  subtitle: 18,
  heading: 22,
  card: [16, 26, 16],
  row: 15,
  note: 14,
  remark: 15,
} as const;
const HEADER_PADDING = 7;
const CELL_PADDING = 4;
/** Draws a whole laid-out sheet. */
export const drawLaidOut = (worksheet: Worksheet, placed: PlacedLaidOut, at: References): void => {
  const { source } = placed;
  const draw: Draw = { worksheet, at };
  worksheet.columns = source.widths.map((width) => ({ width }));
  drawTitle(worksheet, placed);
  if (placed.cardsRow !== undefined) drawCards(draw, source.cards, placed.cardsRow, source.widths.length);
  for (const grid of placed.grids) drawGrid(draw, grid, placed);
  drawRemarks(worksheet, placed);
  const [header, ...further] = placed.grids.map(({ headerRow }) => headerRow);
  const hasFurtherHeader = further.some((row) => row !== undefined);
  const frozen = { state: 'frozen', xSplit: source.freeze?.columns ?? 0, ySplit: header ?? 0 } as const;
  worksheet.views = [{ ...(source.freeze ? frozen : {}), showGridLines: false }];
  setUpPage(worksheet, {
    orientation: source.orientation,
    // With a second table, repeating the header of the first would put two headers on the next page.
    ...(source.freeze && header !== undefined && !hasFurtherHeader && { repeatedRow: header }),
  });
  guard(worksheet);
};

type Draw = {
  readonly worksheet: Worksheet;
  readonly at: References;
};

const drawTitle = (worksheet: Worksheet, { source, lead }: PlacedLaidOut): void => {
  const write = (row: number, column: number, text: string, style: Cell['style']): void => {
    const cell = worksheet.getCell(row, column);
    cell.value = spreadsheetText(text);
    cell.style = style;
  };
  write(1, 1, source.title, titleStyle);
  write(2, 1, source.subtitle, remarkStyle);
  lead?.lines.forEach((line, index) => {
    write(lead.row + index, 1, line, remarkStyle);
  });
  if (source.reference !== undefined) {
    write(1, source.widths.length, source.reference, {
      ...remarkStyle,
      alignment: { horizontal: 'right', vertical: 'middle' },
    });
  }
  worksheet.getRow(1).height = HEIGHTS.title;
  worksheet.getRow(2).height = HEIGHTS.subtitle;
};

const drawCards = (draw: Draw, cards: readonly Card[], row: number, columns: number): void => {
  cards.forEach((card, index) => {
    const end = cards[index + 1]?.column ?? columns;
    const { isAlarm = false } = card;
    const lines = [
      ['label', { format: 'text', value: card.label }],
      ['value', card.value],
      ['remark', card.remark],
    ] as const;
    lines.forEach(([line, content], step) => {
      for (let column = card.column; column < end; column += 1) {
        const isFirst = column === card.column;
        const cell = draw.worksheet.getCell(row + step, column + 1);
        cell.style = cardStyle(line, { isFirst, isAlarm, isLink: isFirst && isLinked(content) });
        if (isFirst) fill(draw, cell, content);
      }
    });
  });
  HEIGHTS.card.forEach((height, step) => {
    draw.worksheet.getRow(row + step).height = height;
  });
};

const isLinked = (cell: GridCell): boolean => cell.link !== undefined;

/** Writes the value and the link of a cell. */
const fill = ({ at }: Draw, cell: Cell, content: GridCell): void => {
  const value = cellValue(content, at);
  const { link } = content;
  cell.value = link ? { text: String(value ?? ''), hyperlink: targetOf(link) } : value;
};

const targetOf = (link: Link): string =>
  'file' in link ? link.file : `#${quotedSheetName(link.sheet)}!$A$1`;

const drawGrid = (draw: Draw, placed: PlacedGrid, { source, sheetName }: PlacedLaidOut): void => {
  const { worksheet } = draw;
  const { grid, headingRow, headerRow } = placed;
  if (headingRow !== undefined) {
    const cell = worksheet.getCell(headingRow, 1);
    cell.value = spreadsheetText(grid.heading ?? '');
    cell.style = headingStyle;
    worksheet.getRow(headingRow).height = HEIGHTS.heading;
  }
  if (headerRow !== undefined) drawHeader(worksheet, placed, headerRow, source.widths);
  for (const [rowNumber, row] of placed.rows) drawRow(draw, rowNumber, row, placed, source.widths);
  if (grid.name !== undefined) worksheet.workbook.definedNames.add(gridRange(sheetName, placed), grid.name);
};

const drawHeader = (
  worksheet: Worksheet,
  { grid }: PlacedGrid,
  row: number,
  widths: readonly number[],
): void => {
  let lines = 1;
  grid.columns.forEach(({ title, align = 'left' }, index) => {
    const cell = worksheet.getCell(row, index + 1);
    cell.value = title;
    cell.style = gridHeaderStyle(align);
    lines = Math.max(lines, lineCount(title, (widths[index] ?? 1) - 1));
  });
  worksheet.getRow(row).height = rowHeight(lines) + HEADER_PADDING;
};

const drawRow = (
  draw: Draw,
  rowNumber: number,
  row: GridRow,
  { grid }: PlacedGrid,
  widths: readonly number[],
): void => {
  let lines = 1;
  grid.columns.forEach((_, index) => {
    const content = row.cells[index];
    const cell = draw.worksheet.getCell(rowNumber, index + 1);
    const text = content?.format === 'text' ? String(shownValue(content.value) ?? '') : '';
    const needed = flows(row) ? lineCount(text, lineLength(widths[index] ?? 1)) : 1;
    lines = Math.max(lines, needed);
    cell.style = gridStyle(content?.format ?? 'status', {
      ...(content?.bold !== undefined && { bold: content.bold }),
      ...(content?.grey !== undefined && { grey: content.grey }),
      ...(content?.tone !== undefined && { tone: content.tone }),
      kind: row.kind,
      isLink: content?.link !== undefined,
      wrap: needed > 1,
    });
    if (content) fill(draw, cell, content);
  });
  const single = row.kind === 'note' ? HEIGHTS.note : HEIGHTS.row;
  const height = lines > 1 ? rowHeight(lines) + CELL_PADDING : single;
  draw.worksheet.getRow(rowNumber).height = height;
};

/** Whether a row's label flows over the blank cells beside it, as that of a band or a total does. */
const flows = ({ kind }: GridRow): boolean => kind === undefined || kind === 'working' || kind === 'result';

const drawRemarks = (worksheet: Worksheet, { source, remarksRow }: PlacedLaidOut): void => {
  const width = source.widths.reduce((sum, each) => sum + each, 0);
  source.findings
    .flatMap((remark) => textLines(remark, width))
    .forEach((line, index) => {
      const cell = worksheet.getCell(remarksRow + index, 1);
      cell.value = spreadsheetText(line);
      cell.style = remarkStyle;
      worksheet.getRow(remarksRow + index).height = HEIGHTS.remark;
    });
};
