import { startOfUtcDay } from '../../kernel/calendar.ts';
import { periodName } from '../figures/day-words.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { Tab } from '../workbook/palette.ts';
import type { FilledSheet } from '../workbook/sheet.ts';
import type { Sheet, WorkbookProperties } from '../workbook/write-workbook.ts';

/** A sheet of a book, and the colour of its tab. A reference is given to it unless it brings its own. */
export type BookSheet = { readonly sheet: Sheet; readonly tab: Tab; readonly reference?: string };

/** Tables that a book shows where they have rows: no sheet of a book is empty. */
export type Optional = { readonly shown: readonly FilledSheet[]; readonly leftOut: readonly string[] };

export const unlessEmpty = (...sheets: readonly FilledSheet[]): Optional => ({
  shown: sheets.filter(({ count, sheet }) => count > 0 || sheet.empty !== undefined),
  leftOut: sheets
    .filter(({ count, sheet }) => count === 0 && sheet.empty === undefined)
    .map(({ table }) => table),
});

/** Numbers the sheets of a book in their order: `F1`, `F2`. */
export const numbered = (prefix: string, sheets: readonly BookSheet[]): readonly Sheet[] => {
  let number = 0;
  return sheets.map(({ sheet, tab, reference = `${prefix}${++number}` }) => ({ ...sheet, tab, reference }));
};

/** Builds the document properties of a workbook. */
export const propertiesOf = (
  { period, seller, program }: Pick<PeriodReport, 'period' | 'seller' | 'program'>,
  title: string,
): WorkbookProperties => ({
  title,
  subject: periodName(period.label),
  creator: program,
  company: seller,
  created: startOfUtcDay(period.last),
});
