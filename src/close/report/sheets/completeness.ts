import { calendarDate } from '../../../kernel/calendar.ts';
import { subtract } from '../../../kernel/money.ts';
import type { DayTotals } from '../../reconcile/period-totals.ts';
import { quoted, type References } from '../../workbook/references.ts';
import { defineSheet } from '../../workbook/sheet.ts';

/** What the counts of orders and refunds hold: corrections of a locked period are records of their own. */
const KIND_NOTES = {
  order:
    'Of the exports, posted or not. The new version of a filed order is one, and so is the reversal of a filed refund.',
  refund:
    'The reversal of a filed order is one, too, and gives no money back by itself: its id ends in -reversal.',
} as const;

const ofThisDay = (at: References) => ({
  'Business date': at.cell('Business date'),
  Channel: at.cell('Channel'),
});

/** Per day and channel: sales in the exports, sales posted, and records read back from the service. */
export const COMPLETENESS = defineSheet<DayTotals>({
  name: 'Completeness',
  table: 'Completeness',
  title: 'Completeness: exported, posted, read back',
  note: 'Posted are counts and sums of Detail; recorded is what the service listed and gave back, extra records included, record by record in evidence/entries.ndjson.gz, those of no sale in evidence/strays.ndjson.gz.',
  freeze: { columns: 2 },
  columns: [
    { title: 'Business date', width: 13, format: 'date', value: ({ day }) => calendarDate(day) },
    { title: 'Channel', width: 13, format: 'text', value: ({ channel }) => channel },
    {
      title: 'Orders',
      width: 9,
      format: 'count',
      value: ({ orders }) => orders,
      total: 'sum',
      note: KIND_NOTES.order,
    },
    {
      title: 'Refunds',
      width: 9,
      format: 'count',
      value: ({ refunds }) => refunds,
      total: 'sum',
      note: KIND_NOTES.refund,
    },
    {
      title: 'Posted',
      width: 9,
      format: 'count',
      value: (row) => row.posted,
      formula: (at) => at.countIfs('Detail', ofThisDay(at)),
      total: 'sum',
    },
    { title: 'Recorded', width: 10, format: 'count', value: ({ recorded }) => recorded, total: 'sum' },
    {
      title: 'Missing',
      width: 9,
      format: 'count',
      value: ({ missing }) => missing,
      formula: (at) => at.countIfs('Detail', { ...ofThisDay(at), Status: quoted('not recorded') }),
      total: 'sum',
      flagWhen: { attention: (cell) => `${cell}<>0` },
    },
    {
      title: 'Extra',
      width: 18,
      format: 'count',
      value: extraOf,
      formula: (at) => `${at.cell('Recorded')}-${at.cell('Posted')}+${at.cell('Missing')}`,
      total: 'sum',
      flagWhen: { attention: (cell) => `${cell}<>0` },
    },
    {
      title: 'Amount posted',
      width: 18,
      format: 'money',
      value: ({ amount }) => amount,
      formula: (at) => at.sumIfs('Detail', 'Gross', ofThisDay(at)),
      total: 'sum',
    },
    {
      title: 'Amount recorded',
      width: 19,
      format: 'money',
      value: ({ recordedAmount }) => recordedAmount,
      total: 'sum',
    },
    {
      title: 'Amount difference',
      width: 14,
      format: 'money',
      value: (row) => subtract(row.recordedAmount, row.amount),
      formula: (at) => at.difference(at.cell('Amount recorded'), at.cell('Amount posted')),
      total: 'sum',
      flagWhen: { attention: (cell) => `${cell}<>0` },
    },
    {
      title: 'Tax posted',
      width: 14,
      format: 'money',
      value: ({ tax }) => tax,
      formula: (at) => at.sumIfs('Detail', 'Collected', ofThisDay(at)),
      total: 'sum',
    },
    {
      title: 'Tax recorded',
      width: 14,
      format: 'money',
      value: ({ recordedTax }) => recordedTax,
      total: 'sum',
    },
    {
      title: 'Tax difference',
      width: 14,
      format: 'money',
      value: (row) => subtract(row.recordedTax, row.tax),
      formula: (at) => at.difference(at.cell('Tax recorded'), at.cell('Tax posted')),
      total: 'sum',
      flagWhen: { attention: (cell) => `${cell}<>0` },
    },
  ],
});

/** Returns the number of records in the service that do not belong to a posted sale. */
export function extraOf({ recorded, posted: sent, missing }: DayTotals): number {
  return recorded - sent + missing;
}
