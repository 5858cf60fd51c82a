import { type Money, sum } from '../../kernel/money.ts';
import { type AnyCell, cellOf, formula, shownValue } from '../workbook/cell.ts';
import type { GridCell, GridRow, LaidOutSheet } from '../workbook/laid-out.ts';
import type { Tab } from '../workbook/palette.ts';
import type { FilledSheet } from '../workbook/sheet.ts';
import type { Sheet } from '../workbook/write-workbook.ts';

/** A sheet of a book, what it shows, and the figure by which a reader knows that it is whole. */
export type BookSheet = {
  readonly sheet: FilledSheet | LaidOutSheet;
  readonly purpose: string;
  readonly control?: { readonly label: string; readonly value: AnyCell };
  /** In place of the next number. */
  readonly reference?: string;
};

/** Sheets of one purpose, as the contents list them. */
export type BookSection = {
  readonly band: string;
  readonly tab: Tab;
  readonly sheets: readonly BookSheet[];
};

/** A sheet that a period did not need, and why. */
export type LeftOut = { readonly sheet: string; readonly why: string };

/** The live sum of a column of money that shows that a table is whole. */
export const sumControl = (label: string, sheet: FilledSheet, title: string): BookSheet['control'] => {
  const column = sheet.sheet.columns.find((each) => each.title === title);
  if (!sheet.rows || column?.format !== 'money') return undefined;
  const amounts = sheet.rows.map((row) => shownValue(column.value(row)));
  const result = sum(amounts.filter((amount): amount is Money => amount !== undefined));
  return {
    label,
    value: cellOf(
      'money',
      formula((at) => at.sum(sheet.table, title), result),
    ),
  };
};

/** The sections with the reference and the tab of each sheet; the contents take the second number. */
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

/** The sheets in their order, the contents after the first. */
export const sheetsOf = (sections: readonly BookSection[], contents: LaidOutSheet): readonly Sheet[] => {
  const [first, ...others] = sections.flatMap(({ sheets }) => sheets.map(({ sheet }) => sheet));
  return first ? [first, contents, ...others] : [contents];
};

const text = (value: string | undefined, looks: Omit<GridCell, 'format' | 'value'> = {}): GridCell => ({
  format: 'text',
  value,
  ...looks,
});

/** The rows of the contents: a band for each section, a line for each sheet. */
export const contentsRows = (sections: readonly BookSection[]): readonly GridRow[] =>
  sections
    .filter(({ sheets }) => sheets.length > 0)
    .flatMap(({ band, sheets }) => [
      { kind: 'band' as const, cells: [text(band)] },
      ...sheets.map((entry): GridRow => ({ cells: contentsCells(entry) })),
    ]);

export const nameOf = (sheet: BookSheet['sheet']): string =>
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
    text(name, { link: { sheet: name } }),
    text(purpose),
    sheet.kind === 'table'
      ? { format: 'count', value: formula((at) => at.rows(sheet.table), sheet.count), grey: true }
      : undefined,
    text(control?.label, { grey: true }),
    control?.value,
  ];
};
