import type { Cluster } from '../../reconcile/clusters.ts';
import { VARIANCE_PARTS } from '../../reconcile/variance-part.ts';
import { defineSheet } from '../../workbook/sheet.ts';

/** The exceptions by cause and place: one line each, whatever the number of their records. */
export const CAUSES = defineSheet<Cluster>({
  name: 'Causes',
  table: 'Causes',
  title: 'Causes: one line for the exceptions of one cause and place',
  note: 'The records of each cause stand together in Exceptions, in the same order.',
  freeze: { columns: 1 },
  paper: 'tabloid',
  columns: [
    { title: 'Code', width: 22, format: 'status', value: ({ code }) => code },
    { title: 'State', width: 7, format: 'status', value: ({ state }) => state },
    { title: 'Place', width: 22, format: 'text', value: ({ where }) => where },
    {
      title: 'Whose',
      width: 18,
      format: 'text',
      value: ({ part }) => (part === null ? '' : VARIANCE_PARTS[part]),
    },
    { title: 'Shop’s rate', width: 12, format: 'rate', value: ({ shop }) => shop ?? undefined },
    { title: 'Tieout’s rate', width: 12, format: 'rate', value: ({ own }) => own ?? undefined },
    { title: 'Records', width: 10, format: 'count', value: ({ records }) => records, total: 'sum' },
    {
      title: 'Open',
      width: 9,
      format: 'count',
      value: ({ open }) => open,
      flag: ({ open }) => (open > 0 ? 'attention' : undefined),
      total: 'sum',
    },
    { title: 'Tax at stake', width: 14, format: 'money', value: ({ effect }) => effect },
    { title: 'What', width: 80, format: 'text', value: ({ message }) => message, wrap: true },
  ],
});
