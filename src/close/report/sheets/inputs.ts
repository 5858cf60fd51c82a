import { defineSheet } from '../../workbook/sheet.ts';
import type { InputFile } from '../period-report.ts';

/** The files that were read, and that every row of them ended somewhere. */
export const INPUTS = defineSheet<InputFile>({
  name: 'Inputs',
  table: 'Inputs',
  title: 'Inputs: the exports and what became of their rows',
  note: 'Used + ignored + rejected = rows. A file may hold sales of other periods; they are used too, in theirs.',
  freeze: { columns: 1 },
  columns: [
    { title: 'File', width: 34, format: 'text', value: ({ path }) => path },
    { title: 'Channel', width: 13, format: 'text', value: ({ channel }) => channel },
    { title: 'Profile', width: 18, format: 'text', value: ({ profile }) => profile },
    { title: 'Rows', width: 10, format: 'count', value: ({ rows }) => rows, total: 'sum' },
    { title: 'Used', width: 10, format: 'count', value: ({ used }) => used, total: 'sum' },
    { title: 'Ignored', width: 10, format: 'count', value: ({ ignored }) => ignored, total: 'sum' },
    { title: 'Rejected', width: 10, format: 'count', value: ({ rejected }) => rejected, total: 'sum' },
    {
      title: 'Left over',
      width: 10,
      format: 'count',
      value: ({ rows, used, ignored, rejected }) => rows - used - ignored - rejected,
      formula: (at) => `${at.cell('Rows')}-${at.cell('Used')}-${at.cell('Ignored')}-${at.cell('Rejected')}`,
      total: 'sum',
      flagWhen: { attention: (cell) => `${cell}<>0` },
    },
    { title: 'Bytes', width: 12, format: 'count', value: ({ bytes }) => bytes },
    { title: 'SHA-256', width: 68, format: 'id', value: ({ sha256 }) => sha256 },
  ],
});
