import type { Worksheet } from 'exceljs';
import type { PlacedTable } from './layout.ts';
import { pageHeight } from './page-setup.ts';
import { placeChart, tableWidth } from './place-chart.ts';
import { lineCounter } from './row-xml.ts';
import { rowHeight } from './text-lines.ts';

const POINTS_PER_PIXEL = 0.75;
/** Programs do not agree to the pixel on how much a page holds; those without the font of the book put more on it. */
const SURE_PART = 0.97;
/** The last column of Excel's file format, counting from 0: a break goes through all of them. */
const LAST_COLUMN = 16_383;

/**
 * Begin a new page before a chart that may not fit below its table, and before a table of a stack that does not surely fit
 * below the tables above it: its header would stand alone at the foot of their page.
 */
export const breakPages = (worksheet: Worksheet, tables: readonly PlacedTable[]): void => {
  const width = Math.max(...tables.map(printedWidth)) / (tables[0]?.source.sheet.pagesWide ?? 1);
  const page = pageHeight(width) * POINTS_PER_PIXEL * SURE_PART;
  let used = 0;
  for (const placed of tables) {
    const height = heightOf(worksheet, placed);
    const isBroken = used > 0 && used + height > page;
    if (isBroken) breakAfter(worksheet, placed.titleRow - 1);
    used = isBroken ? height : used + height;
    const { chart } = placed.source.sheet;
    if (chart && placeChart(placed, chart).isOnNewPage)
      breakAfter(worksheet, placed.totalRow ?? placed.lastRow);
  }
};

/** With a chart beside it. */
const printedWidth = (placed: PlacedTable): number => {
  const { chart } = placed.source.sheet;
  return tableWidth(placed) + (chart?.isAtTop ? placeChart(placed, chart).width : 0);
};

/** In points, from the blank rows above the title to the totals. */
const heightOf = (worksheet: Worksheet, placed: PlacedTable): number => {
  const { titleRow, headerRow, firstRow, lastRow, totalRow, source } = placed;
  let height = rowHeight((totalRow ?? lastRow) - lastRow + 2);
  for (let row = titleRow; row <= headerRow; row += 1) height += worksheet.getRow(row).height ?? rowHeight(1);
  if (!source.rows) return height + rowHeight(1) * (lastRow - firstRow + 1);
  const linesOf = lineCounter(placed);
  for (const row of source.rows) height += rowHeight(linesOf(row));
  return height;
};

/** The typings of exceljs 4.4 know breaks only of rows that it writes itself. */
type BrokenSheet = { readonly rowBreaks: { id: number; max: number; man: number }[] };

const breakAfter = (worksheet: Worksheet, id: number): void => {
  (worksheet as unknown as BrokenSheet).rowBreaks.push({ id, max: LAST_COLUMN, man: 1 });
};
