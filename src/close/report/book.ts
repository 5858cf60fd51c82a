import { startOfUtcDay } from '../../kernel/calendar.ts';
import { DefectError } from '../../kernel/errors.ts';
import { type Money, sum } from '../../kernel/money.ts';
import { periodName } from '../figures/day-words.ts';
import type { PeriodReport } from '../figures/period-report.ts';
import { type AnyCell, cellOf, formula, shownValue } from '../workbook/cell.ts';
import { type GridCell, type GridRow, type LaidOutSheet, text } from '../workbook/laid-out.ts';
import type { Tab } from '../workbook/palette.ts';
import { type FilledSheet, stacked } from '../workbook/sheet.ts';
import type { Sheet, WorkbookProperties } from '../workbook/write-workbook.ts';

/** A sheet of a book, its purpose, and the control figure that shows that it is complete. */
export type BookSheet = {
  readonly sheet: FilledSheet | LaidOutSheet;
  readonly purpose: string;
  readonly control?: { readonly label: string; readonly value: AnyCell };
  /** Used instead of the next number. */
  readonly reference?: string;
  /** Entries for the tables below the first one. */
  readonly below?: readonly BookSheet[];
};

/** Sheets with a common purpose, as listed on the contents sheet. */
export type BookSection = {
  readonly band: string;
  readonly tab: Tab;
  readonly sheets: readonly BookSheet[];
};

/** A sheet that the period did not need, with the reason. */
export type LeftOut = { readonly sheet: string; readonly why: string };

/** The control total of a money column, which shows that a table is complete. */
type Control = {
  readonly title: string;
  /** Label of the total; the column's title if omitted. */
  readonly label?: string;
  /** The total if the rows are not in memory. */
  readonly total?: Money;
};

/** Builds the contents entry of a table sheet. */
export const entry = (sheet: FilledSheet, purpose: string, control?: Control): BookSheet => ({
  sheet,
  purpose,
  ...(control && { control: controlOf(sheet, control) }),
});

/** Builds a table sheet with further tables below it. */
export const stack = (first: BookSheet, below: readonly BookSheet[]): BookSheet => {
  const tables = below.map(({ sheet }) => sheet).filter((sheet) => sheet.kind === 'table');
  return first.sheet.kind === 'table' && tables.length > 0
    ? { ...first, sheet: stacked(first.sheet, tables), below }
    : first;
};

/** Builds the live sum of the column. */
const controlOf = (
  sheet: FilledSheet,
  { title, label = title, total = sumOf(sheet, title) }: Control,
): NonNullable<BookSheet['control']> => ({
  label,
  value: cellOf(
    'money',
    formula((at) => at.sum(sheet.table, title), total),
  ),
});

const sumOf = ({ sheet, rows = [] }: FilledSheet, title: string): Money => {
  const column = sheet.columns.find((each) => each.title === title);
  if (column?.format !== 'money') throw new DefectError(`${sheet.name} has no amounts in ${title}`);
  const amounts = rows.map((row) => shownValue(column.value(row)));
  return sum(amounts.filter((amount): amount is Money => amount !== undefined));
};

/** Numbers the sheets and sets their tabs; the second number is reserved for the contents sheet. */
export const numbered = (prefix: string, sections: readonly BookSection[]): readonly BookSection[] => {
  let number = 0;
  const next = (): string => {
    number += number === 1 ? 2 : 1;
    return `${prefix}${number}`;
  };
  return sections.map(({ band, tab, sheets }) => ({
    band,
    tab,
    sheets: sheets.map(({ reference = next(), ...entry }) => ({
      ...entry,
      reference,
      sheet: { ...entry.sheet, tab, reference },
    })),
  }));
};

/** Returns the sheets in order, with the contents sheet after the first. */
export const sheetsOf = (sections: readonly BookSection[], contents: LaidOutSheet): readonly Sheet[] => {
  const [first, ...others] = sections.flatMap(({ sheets }) => sheets.map(({ sheet }) => sheet));
  return first ? [first, contents, ...others] : [contents];
};

/** Returns the optional tables that are not in this book. */
export const leftOutOf = (
  sections: readonly BookSection[],
  candidates: readonly LeftOut[],
): readonly LeftOut[] => {
  const written = sections.flatMap(({ sheets }) =>
    sheets.flatMap((each) => [each, ...(each.below ?? [])].map(({ sheet }) => nameOf(sheet))),
  );
  return candidates.filter(({ sheet }) => !written.includes(sheet));
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

/** Builds the rows of the contents sheet: a band for each section, a line for each sheet. */
export const contentsRows = (sections: readonly BookSection[]): readonly GridRow[] =>
  sections
    .filter(({ sheets }) => sheets.length > 0)
    .flatMap(({ band, sheets }) => [
      { kind: 'band' as const, cells: [text(band)] },
      ...sheets.flatMap((entry): readonly GridRow[] =>
        [entry, ...(entry.below ?? [])].map((each) => ({ cells: contentsCells(each) })),
      ),
    ]);

const nameOf = (sheet: BookSheet['sheet']): string =>
  sheet.kind === 'table' ? sheet.sheet.name : sheet.name;

const contentsCells = ({
  sheet,
  purpose,
  control,
  reference,
}: BookSheet): readonly (GridCell | undefined)[] => {
  const name = nameOf(sheet);
  return [
    text(reference, { grey: true }),
    text(reference === undefined ? `below: ${name}` : name, { link: { sheet: name } }),
    text(purpose),
    sheet.kind === 'table'
      ? { format: 'count', value: formula((at) => at.rows(sheet.table), sheet.count), grey: true }
      : undefined,
    text(control?.label, { grey: true }),
    control?.value,
  ];
};
