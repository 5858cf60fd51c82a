import type { StateReturn } from '../../../figures/period-filing.ts';
import type { Frequency } from '../../../filing/registration.ts';
import { returnKey } from '../../../filing/state-figures.ts';
import { defineSheet } from '../../../workbook/sheet.ts';

const COVERS = { whole: 'whole period', part: 'part of it', several: 'more than it' } as const;

type DueRow = Pick<StateReturn, 'dueDate' | 'coverage'> & {
  readonly key: string;
  readonly form: string;
  readonly frequency: Frequency;
};

/** Builds the due date of each return; for a return that is not required, that of the return that includes its tax. */
export const dueRows = (returns: readonly StateReturn[]): readonly DueRow[] =>
  returns.map(({ filed, dueDate, coverage }): DueRow => {
    const { form, instead, registration } = filed;
    const row = { key: returnKey(filed.figures), form: form.form, dueDate, coverage };
    return instead && coverage === 'whole'
      ? { ...row, ...instead, form: `${instead.form}, not ${form.form}`, coverage: 'part' }
      : { ...row, frequency: registration.frequency };
  });

/** The due dates with their reasons. */
export const DUE_DATES = defineSheet<DueRow>({
  name: 'Due dates',
  table: 'Due_dates',
  title: 'Due dates',
  note: 'The statutory date moves for weekends, federal holidays and holidays of the state. Dates and cut-offs are those of the state’s own time zone. Date verified is about the due date alone; the sheet of a return says whether its lines were verified on the form.',
  freeze: { columns: 1 },
  columns: [
    { title: 'State', width: 14, format: 'status', value: ({ key }) => key },
    { title: 'Form', width: 14, format: 'text', value: ({ form }) => form },
    { title: 'Frequency', width: 12, format: 'status', value: ({ frequency }) => frequency },
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
      title: 'Date verified',
      width: 10,
      format: 'yes-no',
      value: ({ dueDate }) => dueDate.isVerified,
      flag: ({ dueDate }) => (dueDate.isVerified ? undefined : 'attention'),
    },
    { title: 'Working', width: 52, format: 'text', value: ({ dueDate }) => dueDate.working.join(' ') },
  ],
});
