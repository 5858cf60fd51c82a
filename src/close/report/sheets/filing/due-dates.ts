import { returnKey } from '../../../filing/state-figures.ts';
import { defineSheet } from '../../../workbook/sheet.ts';
import type { StateReturn } from '../../period-filing.ts';

const COVERS = { whole: 'whole period', part: 'part of it', several: 'more than it' } as const;

/** What is due when, and why then. */
export const DUE_DATES = defineSheet<StateReturn>({
  name: 'Due dates',
  table: 'Due_dates',
  title: 'Due dates',
  note: 'The statutory date moves for weekends, federal holidays and holidays of the state. Dates and cut-offs are those of the state’s own time zone.',
  freeze: { columns: 1 },
  columns: [
    { title: 'State', width: 14, format: 'status', value: ({ filed }) => returnKey(filed.figures) },
    { title: 'Form', width: 14, format: 'text', value: ({ filed }) => filed.form.form },
    { title: 'Frequency', width: 12, format: 'status', value: ({ filed }) => filed.registration.frequency },
    { title: 'Filing period', width: 18, format: 'id', value: ({ dueDate }) => dueDate.period.label },
    {
      title: 'This close covers',
      width: 14,
      format: 'status',
      value: ({ coverage }) => COVERS[coverage],
      flag: ({ coverage }) => (coverage === 'whole' ? undefined : 'attention'),
    },
    { title: 'Statutory date', width: 12, format: 'date', value: ({ dueDate }) => dueDate.statutory },
    { title: 'Why it moves', width: 26, format: 'text', value: ({ dueDate }) => dueDate.shiftReason },
    { title: 'Due date', width: 12, format: 'date', value: ({ dueDate }) => dueDate.due },
    { title: 'Payment by', width: 12, format: 'date', value: ({ dueDate }) => dueDate.cutoff?.date },
    { title: 'Payment hour', width: 9, format: 'id', value: ({ dueDate }) => dueDate.cutoff?.time },
    { title: 'Time zone', width: 18, format: 'text', value: ({ dueDate }) => dueDate.cutoff?.zone },
    {
      title: 'Verified',
      width: 10,
      format: 'yes-no',
      value: ({ dueDate }) => dueDate.isVerified,
      flag: ({ dueDate }) => (dueDate.isVerified ? undefined : 'attention'),
    },
    { title: 'Working', width: 52, format: 'text', value: ({ dueDate }) => dueDate.working.join(' ') },
  ],
});
