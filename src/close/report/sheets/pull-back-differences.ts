import type { RecordDifference } from '../../reconcile/record-differences.ts';
import { defineSheet } from '../../workbook/sheet.ts';

/** What the service gave back differently from how it was sent. */
export const PULL_BACK_DIFFERENCES = defineSheet<RecordDifference>({
  name: 'Pull-back differences',
  table: 'Pull_back_differences',
  title: 'Pull-back differences: sent and recorded, field by field',
  note: 'Every field with another value stands by itself. Of what is only written in another way, such as a city in capitals, each field stands once with an example and the number of records.',
  freeze: { columns: 2 },
  columns: [
    { title: 'Transaction', width: 16, format: 'id', value: ({ id }) => id },
    { title: 'Kind', width: 8, format: 'status', value: ({ record }) => record },
    { title: 'State', width: 7, format: 'status', value: ({ state }) => state },
    { title: 'Field', width: 30, format: 'text', value: ({ field }) => field },
    { title: 'Sent', width: 30, format: 'text', value: ({ sent }) => sent },
    { title: 'Recorded', width: 30, format: 'text', value: ({ recorded }) => recorded },
    {
      title: 'Class',
      width: 13,
      format: 'status',
      value: ({ kind }) => (kind === 'value' ? 'value' : 'format only'),
      flag: ({ kind }) => (kind === 'value' ? 'attention' : undefined),
    },
    { title: 'Records', width: 10, format: 'count', value: ({ records }) => records },
    { title: 'File', width: 34, format: 'text', value: ({ file }) => file },
    { title: 'Line', width: 8, format: 'count', value: ({ line }) => line },
  ],
});
