import type { InputFile } from '../figures/period-report.ts';
import { type ControlledColumn, lostOf, type RecordOutcome } from '../judge/input-findings.ts';
import type { DayTotals } from '../judge/period-totals.ts';
import { calendarDate } from '../kernel/calendar.ts';
import { quoted, type References } from '../workbook/cell.ts';
import { type Column, defineSheet } from '../workbook/sheet.ts';
import { counted, day, notZero, price, summed, words } from './parts.ts';

/** Returns the number of rows that are not accounted for: zero, unless rows were lost or counted twice. */
export const leftOver = ({ rows, used, ignored, rejected }: InputFile): number =>
  rows - used - ignored - rejected;

const records = (title: string, outcome: RecordOutcome): Column<InputFile> =>
  counted(title, 10, (input) => input.records[outcome] || undefined);

/** The files that were read, with proof that every row of them is accounted for. */
export const INPUTS = defineSheet<InputFile>({
  name: 'Inputs',
  table: 'Inputs',
  title: 'Inputs: the exports and what became of their rows',
  note: 'Used + ignored + rejected = rows. Sales of other periods are used too, in theirs. In review: not posted until a person has looked. Refused: in the reject files.',
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
      ...notZero(leftOver),
    }),
    records('Accepted', 'accepted'),
    records('With warning', 'warning'),
    records('In review', 'review'),
    records('Not sales', 'ignored'),
    records('Refused', 'rejected'),
    words('Notices', 15, ({ notices }) => notices.map(({ message }) => message).join('; '), { wrap: true }),
    words('SHA-256', 34, ({ sha256 }) => sha256),
  ],
});

/** One money column of one input file. */
export type ControlRow = ControlledColumn & {
  readonly path: string;
  readonly channel: string;
};

export const controlRowsOf = (inputs: readonly InputFile[]): readonly ControlRow[] =>
  inputs.flatMap(({ path, channel, columns }) => columns.map((column) => ({ path, channel, ...column })));

const difference = (at: References): string =>
  `ROUND(${at.cell('In the file')}-${at.cell('Used')}-${at.cell('Ignored')}-${at.cell('Rejected')},4)`;

/** Per file and money column: its sum as read from the file, and as stored in its records. */
export const CONTROL_TOTALS = defineSheet<ControlRow>({
  name: 'Control totals',
  table: 'Control_totals',
  title: 'Control totals: the columns of the exports and what became of them',
  note: 'In the file: added up row by row; the rest: from the records that came of it.',
  freeze: { columns: 1 },
  columns: [
    words('File', 20, ({ path }) => path),
    words('Channel', 11, ({ channel }) => channel),
    words('Column', 13, ({ column }) => column),
    price('In the file', 11, ({ whole }) => whole),
    price('Used', 11, ({ used }) => used),
    price('Ignored', 11, ({ ignored }) => ignored || undefined),
    price('Rejected', 11, ({ rejected }) => rejected || undefined),
    price('Difference', 11, lostOf, { formula: difference, ...notZero(lostOf) }),
    price('In review', 11, ({ review }) => review || undefined),
  ],
});

const ofThisDay = (at: References) => ({
  'Business date': at.cell('Business date'),
  Channel: at.cell('Channel'),
});

/** Per day and channel: sales in the exports, sales posted, and records read back from the service. */
export const COMPLETENESS = defineSheet<DayTotals>({
  name: 'Completeness',
  table: 'Completeness',
  title: 'Completeness: exported, posted, read back',
  note: 'Posted: Detail. Recorded: what the service gave back (evidence/entries.ndjson.gz, strays.ndjson.gz).',
  freeze: { columns: 2 },
  columns: [
    day('Business date', 13, ({ day }) => calendarDate(day)),
    words('Channel', 11, ({ channel }) => channel),
    counted('Orders', 10, ({ orders }) => orders || undefined),
    counted('Refunds', 10, ({ refunds }) => refunds || undefined),
    counted('Posted', 10, (row) => row.posted, { formula: (at) => at.countIfs('Detail', ofThisDay(at)) }),
    counted('Recorded', 10, ({ recorded }) => recorded),
    counted('Missing', 10, ({ missing }) => missing, {
      formula: (at) => at.countIfs('Detail', { ...ofThisDay(at), Status: quoted('not recorded') }),
      ...notZero(({ missing }) => missing),
    }),
    counted('Extra', 10, extraOf, {
      formula: (at) => `${at.cell('Recorded')}-${at.cell('Posted')}+${at.cell('Missing')}`,
      ...notZero(extraOf),
    }),
    summed('Amount posted', 10, ({ amount }) => amount, {
      formula: (at) => at.sumIfs('Detail', 'Gross', ofThisDay(at)),
    }),
    summed('Amount recorded', 10, ({ recordedAmount }) => recordedAmount),
    summed('Tax posted', 10, ({ tax }) => tax, {
      formula: (at) => at.sumIfs('Detail', 'Collected', ofThisDay(at)),
    }),
    summed('Tax recorded', 10, ({ recordedTax }) => recordedTax, {
      flag: ({ recordedTax, tax }) => (recordedTax === tax ? undefined : 'attention'),
    }),
  ],
});

/** Returns the number of records in the service that do not belong to a posted sale. */
export function extraOf({ recorded, posted: sent, missing }: DayTotals): number {
  return recorded - sent + missing;
}
