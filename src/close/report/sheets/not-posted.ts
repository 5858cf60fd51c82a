import type { DetailLine } from '../../reconcile/detail-row.ts';
import { LEFT_OUT } from '../../reconcile/detail-row.ts';
import { defineSheet } from '../../workbook/sheet.ts';
import { sourceOf } from './detail.ts';

/** The orders and refunds of the period that are in no figure of the books, with what their exports state of them. */
export const NOT_POSTED = defineSheet<DetailLine>({
  name: 'Not posted',
  table: 'Not_posted',
  title: 'Not posted: what no figure of the books counts',
  note: 'Amounts as the export states them.',
  columns: [
    { title: 'Transaction', width: 14, format: 'id', value: ({ id }) => id },
    { title: 'Channel', width: 11, format: 'text', value: ({ channel }) => channel },
    { title: 'Business date', width: 11, format: 'date', value: ({ businessDate }) => businessDate },
    { title: 'State', width: 7, format: 'status', value: ({ state }) => state },
    { title: 'Gross', width: 11, format: 'money', value: ({ gross }) => gross, total: 'sum' },
    { title: 'Tax', width: 10, format: 'money', value: ({ collected }) => collected, total: 'sum' },
    {
      title: 'Status',
      width: 17,
      format: 'status',
      value: ({ status }) => status,
      flag: ({ status }) => (status === LEFT_OUT ? undefined : 'attention'),
    },
    { title: 'File and line', width: 21, format: 'text', wrap: true, value: sourceOf },
  ],
});
