import type { InputFile } from '../../figures/period-report.ts';
import type { RecordOutcome } from '../../reconcile/input-exceptions.ts';
import { type Column, defineSheet } from '../../workbook/sheet.ts';
import { count, counted, NOT_ZERO, words } from './columns.ts';

/** Returns the number of rows that are not accounted for: zero, unless rows were lost or counted twice. */
export const leftOver = ({ rows, used, ignored, rejected }: InputFile): number =>
  rows - used - ignored - rejected;

const records = (title: string, outcome: RecordOutcome, note: string): Column<InputFile> =>
  counted(title, 10, (input) => input.records[outcome] || undefined, { note });

/** The files that were read, with proof that every row of them is accounted for. */
export const INPUTS = defineSheet<InputFile>({
  name: 'Inputs',
  table: 'Inputs',
  title: 'Inputs: the exports and what became of their rows',
  note: 'Used + ignored + rejected = rows. Sales of other periods are used too, in theirs.',
  empty: 'No file was read.',
  freeze: { columns: 1 },
  columns: [
    words('File', 20, ({ path }) => path),
    words('Channel', 11, ({ channel }) => channel),
    words('Profile', 13, ({ profile }) => profile),
    counted('Rows', 8, ({ rows }) => rows),
    counted('Used', 8, ({ used }) => used),
    counted('Ignored', 10, ({ ignored }) => ignored),
    counted('Rejected', 10, ({ rejected }) => rejected),
    counted('Left over', 10, leftOver, {
      formula: (at) => `${at.cell('Rows')}-${at.cell('Used')}-${at.cell('Ignored')}-${at.cell('Rejected')}`,
      flagWhen: NOT_ZERO,
    }),
    records('Accepted', 'accepted', 'Records without a remark.'),
    records('With warning', 'warning', 'Records that were used, and are worth a look.'),
    records('In review', 'review', 'Records that a person has to look at; they are not posted.'),
    records('Not sales', 'ignored', 'Records that are not sales, or stand elsewhere too.'),
    records('Refused', 'rejected', 'Records that cannot be used; their rows are in the reject files.'),
    words('Notices', 15, ({ notices }) => notices.map(({ message }) => message).join('; '), { wrap: true }),
    count('Bytes', 10, ({ bytes }) => bytes),
    words('SHA-256', 17, ({ sha256 }) => sha256),
  ],
});
