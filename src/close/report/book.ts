import { startOfUtcDay } from '../../kernel/calendar.ts';
import { periodName } from '../figures/day-words.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import type { Tab } from '../workbook/palette.ts';
import type { FilledSheet } from '../workbook/sheet.ts';
import type { Sheet, WorkbookProperties } from '../workbook/write-workbook.ts';

/** A sheet of a book, and the colour of its tab. A reference is given to it unless it brings its own. */
export type BookSheet = { readonly sheet: Sheet; readonly tab: Tab; readonly reference?: string };

/** Sheets with the tables that have rows, and the names of the tables without: no table of a book is empty. */
export const unlessEmpty = (...sheets: readonly Sheet[]) => {
  const tables = sheets.flatMap((sheet) => (sheet.kind === 'table' ? [sheet, ...(sheet.below ?? [])] : []));
  return {
    shown: sheets.flatMap((sheet): readonly Sheet[] => (sheet.kind === 'table' ? withRows(sheet) : [sheet])),
    leftOut: tables.filter(isEmpty).map(({ table }) => table),
  };
};

const isEmpty = ({ count, sheet }: FilledSheet): boolean => count === 0 && sheet.empty === undefined;

const withRows = ({ below = [], ...sheet }: FilledSheet): readonly FilledSheet[] => {
  const further = below.filter((table) => !isEmpty(table));
  if (isEmpty(sheet)) return [];
  return [further.length === 0 ? sheet : { ...sheet, below: further }];
};

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
