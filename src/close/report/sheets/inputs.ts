import type { InputFile } from '../../figures/period-report.ts';
import type { RecordOutcome } from '../../reconcile/control-totals.ts';
import { earlierText, twiceText } from '../../reconcile/input-exceptions.ts';
import { type Column, defineSheet } from '../../workbook/sheet.ts';

/** Returns the number of rows that are not accounted for: zero, unless rows were lost or counted twice. */
export const leftOver = ({ rows, used, ignored, rejected }: InputFile): number =>
  rows - used - ignored - rejected;

const records = (title: string, outcome: RecordOutcome, note: string): Column<InputFile> => ({
  title,
  width: 10,
  format: 'count',
  value: (input) => input.records[outcome],
  total: 'sum',
  note,
});

/** The files that were read, with proof that every row of them is accounted for. */
export const INPUTS = defineSheet<InputFile>({
  name: 'Inputs',
  table: 'Inputs',
  title: 'Inputs: the exports and what became of their rows',
  note: 'Used + ignored + rejected = rows; behind them the records that the rows make up. A file may hold sales of other periods; they are used too, in theirs. The line `extract` of a close counts the exports alone; registers of certificates and ledgers are listed here as well.',
  empty: 'No file was read.',
  freeze: { columns: 1 },
  columns: [
    { title: 'File', width: 20, format: 'text', value: ({ path }) => path },
    { title: 'Channel', width: 11, format: 'text', value: ({ channel }) => channel },
    { title: 'Profile', width: 14, format: 'text', value: ({ profile }) => profile },
    { title: 'Rows', width: 8, format: 'count', value: ({ rows }) => rows, total: 'sum' },
    { title: 'Used', width: 8, format: 'count', value: ({ used }) => used, total: 'sum' },
    { title: 'Ignored', width: 10, format: 'count', value: ({ ignored }) => ignored, total: 'sum' },
    { title: 'Rejected', width: 10, format: 'count', value: ({ rejected }) => rejected, total: 'sum' },
    {
      title: 'Left over',
      width: 10,
      format: 'count',
      value: leftOver,
      formula: (at) => `${at.cell('Rows')}-${at.cell('Used')}-${at.cell('Ignored')}-${at.cell('Rejected')}`,
      total: 'sum',
      flagWhen: { attention: (cell) => `${cell}<>0` },
    },
    records('Accepted', 'accepted', 'Records without a remark.'),
    records('With warning', 'warning', 'Records that were used, and are worth a look.'),
    records('In review', 'review', 'Records that a person has to look at; they are not posted.'),
    records('Not sales', 'ignored', 'Records that are not sales, or stand elsewhere too.'),
    records('Refused', 'rejected', 'Records that cannot be used; their rows are in the reject files.'),
    {
      title: 'Notices',
      width: 17,
      format: 'text',
      value: ({ notices, earlier, twice }) =>
        [
          ...notices.map(({ message }) => message),
          ...(earlier ? [earlierText(earlier)] : []),
          ...(twice ? [twiceText(twice)] : []),
        ].join('; '),
      wrap: true,
    },
    { title: 'Bytes', width: 10, format: 'count', value: ({ bytes }) => bytes },
    { title: 'SHA-256', width: 19, format: 'text', value: ({ sha256 }) => sha256 },
  ],
});
