import type { InputFile } from '../../figures/period-report.ts';
import { type ControlledColumn, lostOf } from '../../reconcile/control-totals.ts';
import type { References } from '../../workbook/references.ts';
import { defineSheet } from '../../workbook/sheet.ts';
import { counted, NOT_ZERO, price, words } from './columns.ts';

/** One money column of one input file. */
export type ControlRow = ControlledColumn & { readonly path: string; readonly channel: string };

export const controlRowsOf = (inputs: readonly InputFile[]): readonly ControlRow[] =>
  inputs.flatMap(({ path, channel, columns }) => columns.map((column) => ({ path, channel, ...column })));

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
    words('File', 31, ({ path }) => path),
    words('Channel', 13, ({ channel }) => channel),
    words('Column', 17, ({ column }) => column),
    price('In the file', 12, ({ whole }) => whole),
    price('Used', 12, ({ used }) => used),
    price('Ignored', 12, ({ ignored }) => ignored),
    price('Rejected', 12, ({ rejected }) => rejected),
    price('Difference', 12, lostOf, { formula: difference, flagWhen: NOT_ZERO }),
    price('In review', 12, ({ review }) => review, { note: 'The part of Used that needs review.' }),
    counted('Unreadable', 11, ({ unreadable }) => unreadable, {
      note: 'Cells that are filled and hold no amount; they are in no sum.',
    }),
    words(
      'First unreadable',
      30,
      ({ firstUnreadable }) => firstUnreadable && `line ${firstUnreadable.line}: ${firstUnreadable.value}`,
    ),
  ],
});
