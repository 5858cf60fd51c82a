import type { CalendarDate } from '../../kernel/calendar.ts';
import { rowsIn } from './queries.ts';
import type { Workspace } from './workspace.ts';

/** Returns the first day of the earliest close; `undefined` if nothing was ever closed. */
export const firstClosedDay = async (workspace: Workspace): Promise<CalendarDate | undefined> => {
  const earliest = await rowsIn(workspace, 'closing')
    .select('first')
    .orderBy('first')
    .limit(1)
    .executeTakeFirst();
  return earliest?.first as CalendarDate | undefined;
};
