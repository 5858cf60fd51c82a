import type { InputFile } from '../../figures/period-report.ts';
import { type ControlledColumn, lostOf } from '../../reconcile/control-totals.ts';
import type { References } from '../../workbook/references.ts';
import { type Column, defineSheet } from '../../workbook/sheet.ts';

/** One money column of one input file. */
export type ControlRow = ControlledColumn & { readonly path: string; readonly channel: string };

export const controlRowsOf = (inputs: readonly InputFile[]): readonly ControlRow[] =>
  inputs.flatMap(({ path, channel, columns }) => columns.map((column) => ({ path, channel, ...column })));

const amount = (
  title: string,
  value: (row: ControlRow) => ControlledColumn['whole'],
): Column<ControlRow> => ({ title, width: 12, format: 'price', value });

const difference = (at: References): string =>
  `ROUND(${at.cell('In the file')}-${at.cell('Used')}-${at.cell('Ignored')}-${at.cell('Rejected')},4)`;

/** Per file and money column: its sum as read from the file, and as stored in its records. */
export const CONTROL_TOTALS = defineSheet<ControlRow>({
  name: 'Control totals',
  table: 'Control_totals',
  title: 'Control totals: the columns of the exports and what became of them',
  note: 'In the file is added up row by row as the file is read; the rest is added up from the records that came of it. Columns as the export has them: an amount that stands on every row of an order counts every time.',
  freeze: { columns: 1 },
  columns: [
    { title: 'File', width: 31, format: 'text', value: ({ path }) => path },
    { title: 'Channel', width: 13, format: 'text', value: ({ channel }) => channel },
    { title: 'Column', width: 17, format: 'text', value: ({ column }) => column },
    amount('In the file', ({ whole }) => whole),
    amount('Used', ({ used }) => used),
    amount('Ignored', ({ ignored }) => ignored),
    amount('Rejected', ({ rejected }) => rejected),
    {
      title: 'Difference',
      width: 12,
      format: 'price',
      value: lostOf,
      formula: difference,
      flagWhen: { attention: (cell) => `${cell}<>0` },
    },
    { ...amount('In review', ({ review }) => review), note: 'The part of Used that needs review.' },
    {
      title: 'Unreadable',
      width: 11,
      format: 'count',
      value: ({ unreadable }) => unreadable,
      total: 'sum',
      note: 'Cells that are filled and hold no amount; they are in no sum.',
    },
    {
      title: 'First unreadable',
      width: 30,
      format: 'text',
      value: ({ firstUnreadable }) =>
        firstUnreadable && `line ${firstUnreadable.line}: ${firstUnreadable.value}`,
    },
  ],
});
