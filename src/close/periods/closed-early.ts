import type { CalendarDate, zoneCalendar } from '../../kernel/calendar.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { RunNote } from '../workspace/runs.ts';

/**
 * Returns the day on which the files of a period were written, if the period was not over then: what was sold on its
 * last days may be missing. `undefined` when it was over, and for a period without runs, such as an adopted one.
 */
export const closedEarly = (
  run: Pick<RunNote, 'filesOf'> | undefined,
  { last }: Pick<FilingPeriod, 'last'>,
  calendar: Pick<ReturnType<typeof zoneCalendar>, 'dateAt'>,
): CalendarDate | undefined => {
  if (!run || run.filesOf === null) return undefined;
  const day = calendar.dateAt(run.filesOf);
  return day <= last ? day : undefined;
};
