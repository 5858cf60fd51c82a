import type { Worksheet } from 'exceljs';
import { TABS } from './palette.ts';
import type { Placing } from './sheet.ts';
import { columnLetter } from './spreadsheet-name.ts';

/** Excel's number of US Letter, on which every sheet is printed. */
const LETTER: number = 1;

const PIXELS_PER_INCH = 96;
/** The long and the short side of a sheet of paper, in inches. */
const [LONG, SHORT] = [11, 8.5];
const MARGINS = { left: 0.5, right: 0.5, top: 0.55, bottom: 0.65, header: 0.3, footer: 0.3 };

/** How much of the height of a sheet one page shows, in pixels, when what is so wide fits its width. */
export const pageHeight = (width: number): number => {
  const scale = Math.min(1, ((LONG - MARGINS.left - MARGINS.right) * PIXELS_PER_INCH) / width);
  return ((SHORT - MARGINS.top - MARGINS.bottom) * PIXELS_PER_INCH) / scale;
};

export type PageOptions = {
  readonly repeatedRow?: number;
  /** Sheets of paper side by side. */
  readonly pagesWide?: number;
  /** Columns from the left that every one of them shows. */
  readonly repeatedColumns?: number;
  readonly orientation?: 'landscape' | 'portrait';
};

/** As wide as the page; header rows repeat. */
export const setUpPage = (
  worksheet: Worksheet,
  { repeatedRow, pagesWide = 1, repeatedColumns = 0, orientation = 'landscape' }: PageOptions,
): void => {
  worksheet.pageSetup = {
    paperSize: LETTER,
    orientation,
    fitToPage: true,
    fitToWidth: pagesWide,
    fitToHeight: 0,
    margins: MARGINS,
    ...(repeatedRow === undefined ? {} : { printTitlesRow: `${repeatedRow}:${repeatedRow}` }),
    ...(pagesWide > 1 && repeatedColumns > 0 && { printTitlesColumn: `A:${columnLetter(repeatedColumns)}` }),
  };
};

const FOOTER_NAME_MAX = 80;
/** In a footer `&` begins a code. */
const footerText = (text: string): string => text.slice(0, FOOTER_NAME_MAX).replaceAll('&', '&&');

/** The tab's colour, and the foot of each page: file and owner, reference and sheet, page. */
export const placeInBook = (worksheet: Worksheet, { tab, reference }: Placing, owner: string): void => {
  if (tab) worksheet.properties.tabColor = { argb: TABS[tab] };
  const left = owner === '' ? '&F' : `&F  ·  ${footerText(owner)}`;
  const centre = reference === undefined ? '&A' : `${footerText(reference)}  &A`;
  worksheet.headerFooter = { oddFooter: `&L&8${left}&C&8 ${centre}&R&8Page &P of &N` };
};
