import type { InputFile } from '../../figures/period-report.ts';
import { type ControlledColumn, lostOf } from '../../reconcile/input-exceptions.ts';
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
  note: 'In the file: added up row by row as it is read, every row of an order; the rest: from the records that came of it.',
  freeze: { columns: 1 },
  columns: [
    words('File', 20, ({ path }) => path),
    words('Channel', 11, ({ channel }) => channel),
    words('Column', 13, ({ column }) => column),
    price('In the file', 11, ({ whole }) => whole),
    price('Used', 11, ({ used }) => used),
    price('Ignored', 11, ({ ignored }) => ignored || undefined),
    price('Rejected', 11, ({ rejected }) => rejected || undefined),
    price('Difference', 11, lostOf, { formula: difference, flagWhen: NOT_ZERO }),
    price('In review', 11, ({ review }) => review || undefined, {
      note: 'The part of Used that needs review.',
    }),
    counted('Unreadable', 11, ({ unreadable }) => unreadable || undefined, {
      note: 'Cells that are filled and hold no amount; they are in no sum.',
    }),
    words(
      'First unreadable',
      15,
      ({ firstUnreadable }) => firstUnreadable && `line ${firstUnreadable.line}: ${firstUnreadable.value}`,
    ),
  ],
});
