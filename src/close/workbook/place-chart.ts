import type { Chart } from './chart.ts';
import type { PlacedTable } from './layout.ts';
import { pageHeight } from './page-setup.ts';

/** Pixels of a row of the usual height, of a character, and of a column's margins. */
const ROW_PIXELS = 20;
const CHARACTER_PIXELS = 7;
const MARGIN_PIXELS = 5;
/** Rows between the table and its chart; programs differ by pixels on where a row begins. */
const ROWS_ABOVE = 2;
/** Rows that notes and titles of several lines add to the height of the sheet. */
const HEADER_ROWS = 4;

const WIDTH_MIN = 640;
/** Width of each vertical column, and of the axis and labels around all of them. */
const COLUMN_WIDTH = 80;
const COLUMN_WIDTH_MIN = 56;
const AROUND = 130;
const COLUMNS_HEIGHT = 360;
const BARS_HEIGHT_MIN = 240;

export type ChartPlace = {
  /** Column and row of the chart's upper left corner, counting from 0. */
  readonly column: number;
  readonly row: number;
  /** In pixels of 1/96 inch. */
  readonly width: number;
  readonly height: number;
  /** Whether the chart starts a new page in print because the rest of the table's page may be too small for it. */
  readonly isOnNewPage: boolean;
  /** Whether the table above the chart certainly fits on one page. */
  readonly isTableOnePage: boolean;
};

/** Computes the position of a table's chart: columns below its rows, bars beside the rows that they show. */
export const placeChart = (placed: PlacedTable, { direction, isAtTop }: Chart): ChartPlace => {
  if (isAtTop) return atTop(placed);
  return direction === 'columns' ? belowRows(placed) : besideRows(placed);
};

const atTop = ({ top, source }: PlacedTable): ChartPlace => ({
  ...top,
  width: Math.max(WIDTH_MIN, AROUND + COLUMN_WIDTH_MIN * source.count),
  height: COLUMNS_HEIGHT,
  isOnNewPage: false,
  isTableOnePage: true,
});

const belowRows = (placed: PlacedTable): ChartPlace => {
  const { source, fits } = placed;
  const table = tableWidth(placed);
  const width = Math.max(WIDTH_MIN, Math.min(table, AROUND + COLUMN_WIDTH * source.count));
  const tableHeight = (lastRowOf(placed) + HEADER_ROWS) * ROW_PIXELS;
  const page = pageHeight(Math.max(table, width));
  // How much of the page is left is known only if every row certainly has the usual height.
  const isEven = source.rows !== undefined && fits.every(({ wrap }) => !wrap);
  return {
    column: 0,
    row: lastRowOf(placed) + ROWS_ABOVE,
    width: Math.floor(width),
    height: COLUMNS_HEIGHT,
    isOnNewPage: !isEven || tableHeight + ROWS_ABOVE * ROW_PIXELS + COLUMNS_HEIGHT > page,
    isTableOnePage: isEven && tableHeight <= page,
  };
};

const besideRows = (placed: PlacedTable): ChartPlace => ({
  column: placed.fits.length,
  row: placed.headerRow - 1,
  width: WIDTH_MIN,
  height: Math.max(BARS_HEIGHT_MIN, (lastRowOf(placed) - placed.headerRow + 1) * ROW_PIXELS),
  isOnNewPage: false,
  isTableOnePage: true,
});

/** The width of a table in pixels of 1/96 inch. */
export const tableWidth = ({ fits }: PlacedTable): number =>
  fits.reduce((sum, { width }) => sum + width * CHARACTER_PIXELS + MARGIN_PIXELS, 0);

/** Whether the chart is alone on the page after its one-page table: a repeated header above it would be pointless. */
export const isFollowedByChart = (placed: PlacedTable): boolean => {
  const { chart } = placed.source.sheet;
  if (!chart) return false;
  const { isOnNewPage, isTableOnePage } = placeChart(placed, chart);
  return isOnNewPage && isTableOnePage;
};

const lastRowOf = ({ totalRow, lastRow }: PlacedTable): number => totalRow ?? lastRow;
