import { type AnyCell, type Cell, formula } from './cell.ts';
import { defineSheet, type FilledSheet, filled } from './sheet.ts';

/** What the index says of one sheet. */
export type IndexEntry = {
  readonly sheet: string;
  readonly purpose: string;
  /** For a sheet that is a table: its name in formulas and its number of rows. */
  readonly table?: { readonly name: string; readonly rows: number };
  /** The figure by which a reader knows that the sheet is whole, and what it is. */
  readonly control?: { readonly label: string; readonly value: AnyCell };
};

export type IndexOptions = {
  readonly name?: string;
  readonly note?: string;
  /** Words the reviewer can choose from. */
  readonly statuses?: readonly string[];
};

const STATUSES = ['Open', 'Prepared', 'Reviewed', 'Approved'];

/** The contents of the workbook, a link to each sheet, and room for those who sign. */
export const indexSheet = (
  entries: readonly IndexEntry[],
  { name = 'Index', note = 'Choose a name to go to its sheet.', statuses = STATUSES }: IndexOptions = {},
): FilledSheet => {
  const sheet = defineSheet<IndexEntry>({
    name,
    note,
    protect: true,
    freeze: { columns: 1 },
    columns: [
      {
        title: 'Sheet',
        width: 34,
        format: 'text',
        value: (entry) => entry.sheet,
        link: (entry) => ({ sheet: entry.sheet }),
      },
      { title: 'Purpose', width: 52, format: 'text', value: ({ purpose }) => purpose },
      { title: 'Rows', width: 9, format: 'count', value: rowsCell },
      { title: 'Control total', width: 22, format: 'text', value: ({ control }) => control?.label },
      { title: 'Amount', width: 16, format: 'mixed', value: ({ control }) => control?.value },
      { title: 'Prepared by', width: 14, format: 'text', value: blank, review: 'free' },
      { title: 'Prepared on', width: 12, format: 'date', value: blank, review: 'free' },
      { title: 'Reviewed by', width: 14, format: 'text', value: blank, review: 'free' },
      { title: 'Reviewed on', width: 12, format: 'date', value: blank, review: 'free' },
      { title: 'Status', width: 12, format: 'status', value: blank, review: statuses },
    ],
  });
  return filled(sheet, entries);
};

const rowsCell = ({ table }: IndexEntry): Cell<'count'> =>
  table && formula((at) => at.rows(table.name), table.rows);

const blank = (): undefined => undefined;
