import type { Buffer as ImageBuffer, Worksheet } from 'exceljs';
import type { PlacedTable } from './layout.ts';
import { pageHeight } from './page-setup.ts';
import type { Picture } from './picture.ts';
import { spreadsheetText, xmlText } from './spreadsheet-text.ts';

/** Pixels of a row of the usual height, and of a character and the margins of a column. */
const ROW_PIXELS = 20;
const CHARACTER_PIXELS = 7;
const MARGIN_PIXELS = 5;
/** On paper a picture shrinks with its table: it takes half the width of the page, but grows no more than this. */
const LARGEST = 1.6;
/** Programs do not agree to the pixel where a row begins: a picture stands clear of the break above it. */
const ROWS_ABOVE = 2;
/** What notes and titles of several lines take beside the rows of the sheet, in rows. */
const HEADER_ROWS = 4;
/** The last column of Excel's file format, counting from 0: a break goes through all of them. */
const LAST_COLUMN = 16_383;

/** The pictures of a table stand below its last part, where nothing moves them and no header is in the way. */
export const picturesOn = ({ source, part, parts }: PlacedTable): readonly Picture[] =>
  part === parts ? (source.sheet.pictures ?? []) : [];

/**
 * Whether pages with nothing but pictures follow the one page of a table: its header would stand above them for nothing.
 * Only where every row surely has the usual height is it known that one page is enough.
 */
export const isOnePageWithPictures = (placed: PlacedTable): boolean => {
  const { source, fits, totalRow, lastRow } = placed;
  const height = ((totalRow ?? lastRow) + HEADER_ROWS) * ROW_PIXELS;
  const isEven = source.inMemory && fits.every(({ wrap }) => !wrap);
  return (
    isEven &&
    picturesOn(placed).length > 0 &&
    height <= pageHeight(source.sheet.paper ?? 'letter', pageWidth(placed))
  );
};

/** Pixels of the columns that one page shows. */
const pageWidth = ({ fits, source }: PlacedTable): number =>
  fits.reduce((sum, { width }) => sum + width * CHARACTER_PIXELS + MARGIN_PIXELS, 0) /
  (source.sheet.pagesWide ?? 1);

/** Put the pictures of a table below its rows, each on a page of its own when printed. */
export const drawPictures = async (worksheet: Worksheet, placed: PlacedTable): Promise<void> => {
  const page = pageWidth(placed);
  let row = (placed.totalRow ?? placed.lastRow) + 1;
  for (const { png, width, height } of picturesOn(placed)) {
    const scale = Math.min(page / width, LARGEST, Math.max(1, page / 2 / width));
    const buffer = Buffer.from(await png()) as unknown as ImageBuffer;
    const image = worksheet.workbook.addImage({ buffer, extension: 'png' });
    worksheet.addImage(image, {
      tl: { col: 0, row: row + ROWS_ABOVE },
      ext: { width: Math.floor(width * scale), height: Math.floor(height * scale) },
    });
    (worksheet as unknown as BrokenSheet).rowBreaks.push({ id: row, max: LAST_COLUMN, man: 1 });
    row += ROWS_ABOVE + Math.ceil((height * scale) / ROW_PIXELS) + 1;
  }
};

/** The typings of exceljs 4.4 know breaks only of rows that it writes itself. */
type BrokenSheet = { readonly rowBreaks: { id: number; max: number; man: number }[] };

const ANONYMOUS = /<xdr:cNvPr id="(\d+)" name="[^"]*"/g;

/** A drawing as exceljs wrote it, with the titles and descriptions that it has no place for. */
export const describedDrawing = (xml: string, pictures: readonly Picture[]): string =>
  xml.replace(ANONYMOUS, (found, id: string) => {
    const picture = pictures[Number(id) - 1];
    if (!picture) return found;
    return `<xdr:cNvPr id="${id}" name="${written(picture.title)}" descr="${written(picture.description)}"`;
  });

const written = (text: string): string => xmlText(spreadsheetText(text));
