import { calendarDate } from '../../../kernel/calendar.ts';
import type { DayTotals } from '../../reconcile/period-totals.ts';
import { quoted, type References } from '../../workbook/references.ts';
import { defineSheet } from '../../workbook/sheet.ts';
import { counted, day, NOT_ZERO, summed, words } from './columns.ts';

const ofThisDay = (at: References) => ({
  'Business date': at.cell('Business date'),
  Channel: at.cell('Channel'),
});

/** Per day and channel: sales in the exports, sales posted, and records read back from the service. */
export const COMPLETENESS = defineSheet<DayTotals>({
  name: 'Completeness',
  table: 'Completeness',
  title: 'Completeness: exported, posted, read back',
  note: 'Posted: counts and sums of Detail. Recorded: what the service listed and gave back (evidence/entries.ndjson.gz, and strays.ndjson.gz for records of no sale).',
  freeze: { columns: 2 },
  columns: [
    day('Business date', 13, ({ day }) => calendarDate(day)),
    words('Channel', 11, ({ channel }) => channel),
    counted('Orders', 10, ({ orders }) => orders || undefined),
    counted('Refunds', 10, ({ refunds }) => refunds || undefined, {
      note: 'The reversal of a filed order is one, too, and gives no money back by itself: its id ends in -reversal.',
    }),
    counted('Posted', 10, (row) => row.posted, { formula: (at) => at.countIfs('Detail', ofThisDay(at)) }),
    counted('Recorded', 10, ({ recorded }) => recorded),
    counted('Missing', 10, ({ missing }) => missing, {
      formula: (at) => at.countIfs('Detail', { ...ofThisDay(at), Status: quoted('not recorded') }),
      flagWhen: NOT_ZERO,
    }),
    counted('Extra', 10, extraOf, {
      formula: (at) => `${at.cell('Recorded')}-${at.cell('Posted')}+${at.cell('Missing')}`,
      flagWhen: NOT_ZERO,
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
