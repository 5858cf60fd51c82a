import type { ScheduleRow } from '../../../filing/return/schedule-rows.ts';
import type { TaxReturn } from '../../../filing/return/tax-return.ts';
import { defineSheet } from '../../../workbook/sheet.ts';

export type SchedulesRow = ScheduleRow & {
  readonly state: string;
  readonly schedule: string;
  readonly title: string;
  readonly key: string;
};

/** The rows of all schedules, by state. */
export const schedulesRows = (returns: readonly TaxReturn[]): readonly SchedulesRow[] =>
  returns.flatMap(({ figures, schedules }) =>
    schedules.flatMap(({ schedule, rows }) =>
      rows.map((row) => ({
        ...row,
        state: figures.state,
        schedule: schedule.name,
        title: schedule.title,
        key: schedule.key,
      })),
    ),
  );

/** Where it was sold, as the forms ask for it. */
export const SCHEDULES = defineSheet<SchedulesRow>({
  name: 'Schedules',
  table: 'Schedules',
  title: 'Schedules of the returns',
  note: 'Places by the codes of the form, where they are known: the registration can name them (locationCodes). Rounded as the form rounds them.',
  freeze: { columns: 2 },
  columns: [
    { title: 'State', width: 8, format: 'status', value: ({ state }) => state },
    { title: 'Schedule', width: 14, format: 'text', value: ({ schedule }) => schedule },
    { title: 'Title', width: 34, format: 'text', value: ({ title }) => title },
    { title: 'Kept by', width: 14, format: 'status', value: ({ key }) => key },
    { title: 'Code', width: 10, format: 'id', value: ({ code }) => code },
    { title: 'Place', width: 34, format: 'text', value: ({ name }) => name },
    { title: 'Rate', width: 13, format: 'rate', value: ({ rate }) => rate },
    { title: 'Taxable amount', width: 16, format: 'money', value: ({ taxable }) => taxable },
    { title: 'Tax', width: 14, format: 'money', value: ({ tax }) => tax },
  ],
});
