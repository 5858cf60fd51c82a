import type { Worksheet } from 'exceljs';
import { TABS } from './palette.ts';
import type { Placing } from './sheet.ts';

/** Excel's number for US Letter, the paper size of every sheet. */
const LETTER: number = 1;

const MARGINS = { left: 0.3, right: 0.3, top: 0.35, bottom: 0.45, header: 0.2, footer: 0.2 };

export type PageOptions = {
  readonly repeatedRow?: number;
  readonly orientation?: 'landscape' | 'portrait';
  /** Prints at this share of its size, in percent, instead of as wide as the page. */
  readonly scale?: number;
};

/** Fits the sheet to the width of the page and repeats the header row. */
export const setUpPage = (
  worksheet: Worksheet,
  { repeatedRow, orientation = 'landscape', scale }: PageOptions,
): void => {
  worksheet.pageSetup = {
    paperSize: LETTER,
    orientation,
    ...(scale === undefined ? { fitToPage: true, fitToWidth: 1, fitToHeight: 0 } : { scale }),
    margins: MARGINS,
    ...(repeatedRow === undefined ? {} : { printTitlesRow: `${repeatedRow}:${repeatedRow}` }),
  };
};

const FOOTER_NAME_MAX = 80;
/** Escapes `&`, which begins a code in a footer. */
const footerText = (text: string): string => text.slice(0, FOOTER_NAME_MAX).replaceAll('&', '&&');

/** Sets the tab's colour and the footer of each page: file and owner, reference and sheet name, page number. */
export const placeInBook = (worksheet: Worksheet, { tab, reference }: Placing, owner: string): void => {
  if (tab) worksheet.properties.tabColor = { argb: TABS[tab] };
  const left = owner === '' ? '&F' : `&F  ·  ${footerText(owner)}`;
  const centre = reference === undefined ? '&A' : `${footerText(reference)}  &A`;
  worksheet.headerFooter = { oddFooter: `&L&8${left}&C&8 ${centre}&R&8Page &P of &N` };
};
