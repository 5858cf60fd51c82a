import { calendarDate } from '../../../kernel/calendar.ts';
import { subtract } from '../../../kernel/money.ts';
import type { DayTotals } from '../../reconcile/period-totals.ts';
import { quoted, type References } from '../../workbook/references.ts';
import { defineSheet } from '../../workbook/sheet.ts';
import { counted, day, NOT_ZERO, summed, words } from './columns.ts';

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
    day('Business date', 13, ({ day }) => calendarDate(day)),
    words('Channel', 13, ({ channel }) => channel),
    counted('Orders', 9, ({ orders }) => orders, { note: KIND_NOTES.order }),
    counted('Refunds', 9, ({ refunds }) => refunds, { note: KIND_NOTES.refund }),
    counted('Posted', 9, (row) => row.posted, { formula: (at) => at.countIfs('Detail', ofThisDay(at)) }),
    counted('Recorded', 10, ({ recorded }) => recorded),
    counted('Missing', 9, ({ missing }) => missing, {
      formula: (at) => at.countIfs('Detail', { ...ofThisDay(at), Status: quoted('not recorded') }),
      flagWhen: NOT_ZERO,
    }),
    counted('Extra', 18, extraOf, {
      formula: (at) => `${at.cell('Recorded')}-${at.cell('Posted')}+${at.cell('Missing')}`,
      flagWhen: NOT_ZERO,
    }),
    summed('Amount posted', 18, ({ amount }) => amount, {
      formula: (at) => at.sumIfs('Detail', 'Gross', ofThisDay(at)),
    }),
    summed('Amount recorded', 19, ({ recordedAmount }) => recordedAmount),
    summed('Amount difference', 14, (row) => subtract(row.recordedAmount, row.amount), {
      formula: (at) => at.difference(at.cell('Amount recorded'), at.cell('Amount posted')),
      flagWhen: NOT_ZERO,
    }),
    summed('Tax posted', 14, ({ tax }) => tax, {
      formula: (at) => at.sumIfs('Detail', 'Collected', ofThisDay(at)),
    }),
    summed('Tax recorded', 14, ({ recordedTax }) => recordedTax),
    summed('Tax difference', 14, (row) => subtract(row.recordedTax, row.tax), {
      formula: (at) => at.difference(at.cell('Tax recorded'), at.cell('Tax posted')),
      flagWhen: NOT_ZERO,
    }),
  ],
});

/** Returns the number of records in the service that do not belong to a posted sale. */
export function extraOf({ recorded, posted: sent, missing }: DayTotals): number {
  return recorded - sent + missing;
}
