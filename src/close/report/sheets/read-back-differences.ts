import type { RecordDifference } from '../../reconcile/record-differences.ts';
import { defineSheet } from '../../workbook/sheet.ts';

/** Records that read back from the service differently from what was sent. */
export const READ_BACK_DIFFERENCES = defineSheet<RecordDifference>({
  name: 'Read-back differences',
  table: 'Read_back_differences',
  title: 'Read-back differences: fields that the service returned differently',
  note: 'Every field with another value stands by itself. Of what is only written in another way, such as a city in capitals, each field stands once with an example and the number of records.',
  columns: [
    { title: 'Transaction', width: 13, format: 'id', value: ({ id }) => id },
    { title: 'Field', width: 13, format: 'text', value: ({ field }) => field },
    { title: 'Kind', width: 9, format: 'status', value: ({ record }) => record },
    { title: 'State', width: 9, format: 'status', value: ({ state }) => state },
    {
      title: 'Class',
      width: 9,
      format: 'status',
      value: ({ kind }) => (kind === 'value' ? 'value' : 'format only'),
      flag: ({ kind }) => (kind === 'value' ? 'attention' : undefined),
    },
    { title: 'Records', width: 9, format: 'count', value: ({ records }) => records },
    { title: 'Line', width: 9, format: 'count', value: ({ line }) => line },
    { title: 'Sent', width: 18, format: 'text', value: ({ sent }) => sent },
    { title: 'Recorded', width: 18, format: 'text', value: ({ recorded }) => recorded },
    { title: 'File', width: 20, format: 'text', value: ({ file }) => file },
  ],
});
