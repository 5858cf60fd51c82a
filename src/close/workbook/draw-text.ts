import type { Worksheet } from 'exceljs';
import { headingStyle, proseStyle, titleStyle } from './cell-style.ts';
import { drawLines, type PlacedLink } from './draw-lines.ts';
import { setUpPage } from './page-setup.ts';
import type { References } from './references.ts';
import type { TextSheet } from './sheet.ts';
import { spreadsheetText } from './spreadsheet-text.ts';
import { textLines } from './text-lines.ts';

const LABEL_WIDTH = 30;
const VALUE_WIDTH = 44;
const NOTE_WIDTH = 56;
const PROSE_WIDTH = 125;

/** Draw a text sheet in two columns, labels and values; prose flows over both and the notes' column. */
export const drawText = (worksheet: Worksheet, sheet: TextSheet, at: References): PlacedLink[] => {
  worksheet.columns = [{ width: LABEL_WIDTH }, { width: VALUE_WIDTH }, { width: NOTE_WIDTH }];
  worksheet.views = [{ showGridLines: false }];
  const title = worksheet.getCell('A1');
  title.value = spreadsheetText(sheet.title);
  title.style = titleStyle;
  const links: PlacedLink[] = [];
  let row = 3;
  for (const block of sheet.blocks) {
    if ('heading' in block) {
      // A heading stands apart from what precedes it, and close to what it heads.
      row += row > 3 ? 1 : 0;
      const cell = worksheet.getCell(row, 1);
      cell.value = spreadsheetText(block.heading);
      cell.style = headingStyle;
      row += 1;
    } else if ('paragraph' in block) {
      for (const line of textLines(block.paragraph, PROSE_WIDTH)) {
        const cell = worksheet.getCell(row, 1);
        cell.value = spreadsheetText(line);
        cell.style = proseStyle;
        row += 1;
      }
    } else {
      links.push(...drawLines(worksheet, block.lines, row, { at, notes: 'wrap' }));
      row += block.lines.length;
    }
  }
  setUpPage(worksheet, {});
  return links;
};
