import { type Exception, isOpen } from '../../reconcile/exceptions.ts';
import { defineSheet } from '../../workbook/sheet.ts';

/** Open: an error that nobody accepted. Accepted: it stands, with the reason. Seen: it needs no decision. */
export const decisionOf = (exception: Exception): 'open' | 'accepted' | 'seen' => {
  if (isOpen(exception)) return 'open';
  return exception.accepted === '' ? 'seen' : 'accepted';
};

/** Everything that a person should see, most serious first. */
export const EXCEPTIONS = defineSheet<Exception>({
  name: 'Exceptions',
  table: 'Exceptions',
  title: 'Exceptions',
  note: 'An error kept something out of the month or stands unexplained; a warning was handled; a notice is for information.',
  freeze: { columns: 2 },
  paper: 'tabloid',
  columns: [
    { title: 'Code', width: 22, format: 'status', value: ({ code }) => code },
    { title: 'Record', width: 14, format: 'id', value: ({ origin }) => origin.record },
    {
      title: 'Severity',
      width: 11,
      format: 'status',
      value: ({ severity }) => severity,
      flag: (exception) => (isOpen(exception) ? 'attention' : undefined),
    },
    { title: 'State', width: 7, format: 'status', value: ({ state }) => state },
    { title: 'Tax at stake', width: 13, format: 'money', value: ({ effect }) => effect },
    { title: 'What', width: 64, format: 'text', value: ({ message }) => message, wrap: true },
    { title: 'Decision', width: 11, format: 'status', value: decisionOf },
    { title: 'Why accepted', width: 36, format: 'text', value: ({ accepted }) => accepted, wrap: true },
    { title: 'File', width: 34, format: 'text', value: ({ origin }) => origin.file },
    {
      title: 'Line',
      width: 8,
      format: 'count',
      value: ({ origin }) => (origin.line === 0 ? undefined : origin.line),
    },
  ],
});
