import { type Money, sum } from '../../kernel/money.ts';
import { type AnyCell, cellOf, formula, shownValue } from '../workbook/cell.ts';
import { type IndexEntry, indexSheet } from '../workbook/index-sheet.ts';
import type { FilledSheet } from '../workbook/sheet.ts';
import type { Sheet } from '../workbook/write-workbook.ts';

/** What README and Index say of a sheet. */
export type AboutSheet = {
  readonly sheet: string;
  readonly purpose: string;
  /** Title of the column of money whose sum shows that the sheet is whole. */
  readonly control?: string;
};

/** The contents of a book, in its order. A sheet that no one describes says what its own title says. */
export const bookIndex = (
  sheets: readonly Sheet[],
  about: readonly AboutSheet[],
  /** Sums of columns whose rows pass by only once, by sheet. */
  known: Readonly<Record<string, Money>> = {},
): FilledSheet => indexSheet(sheets.map((sheet) => entryOf(sheet, about, known)));

const entryOf = (
  sheet: Sheet,
  about: readonly AboutSheet[],
  known: Readonly<Record<string, Money>>,
): IndexEntry => {
  const name = sheet.kind === 'table' ? sheet.sheet.name : sheet.name;
  const own = about.find((each) => each.sheet === name);
  const title = (sheet.kind === 'table' ? sheet.sheet.title : sheet.title) ?? name;
  const entry = { sheet: name, purpose: own?.purpose ?? title };
  if (sheet.kind !== 'table') return entry;
  const value = own?.control === undefined ? undefined : controlOf(sheet, own.control, known[name]);
  return {
    ...entry,
    table: { name: sheet.table, rows: sheet.count },
    ...(value && own?.control !== undefined && { control: { label: own.control, value } }),
  };
};

/** A live sum of the column; nothing where a streamed sheet's sum is not known, or it has no such column. */
const controlOf = (sheet: FilledSheet, title: string, known: Money | undefined): AnyCell | undefined => {
  const result = known ?? sumOf(sheet, title);
  if (result === undefined) return undefined;
  return cellOf(
    'money',
    formula((at) => at.sum(sheet.table, title), result),
  );
};

const sumOf = ({ sheet, rows }: FilledSheet, title: string): Money | undefined => {
  const column = sheet.columns.find((each) => each.title === title);
  if (!rows || column?.format !== 'money') return undefined;
  const amounts = rows.map((row) => shownValue(column.value(row)));
  return sum(amounts.filter((amount): amount is Money => amount !== undefined));
};
