import type { CalendarDate } from '../../kernel/calendar.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { ClosingRow } from './period-tables.ts';
import { changeIn, put, rowsIn, type Said } from './queries.ts';
import type { Workspace } from './workspace.ts';

/** Remember what a close has written, in the place of what the last one of the period wrote. */
export const keepClosing = (workspace: Workspace, closing: Said<'closing'>): Promise<void> =>
  put(workspace, 'closing', [closing]);

/** The last close of a period; `undefined` when it was never closed. */
export const readClosing = (workspace: Workspace, label: string): Promise<ClosingRow | undefined> =>
  rowsIn(workspace, 'closing').selectAll().where('period', '=', label).executeTakeFirst();

/** The last close of each period, oldest period first, without what it said. */
export const closingHeads = (
  workspace: Workspace,
): Promise<readonly Pick<ClosingRow, 'period' | 'first' | 'last' | 'folder' | 'parts' | 'seen'>[]> =>
  rowsIn(workspace, 'closing')
    .select(['period', 'first', 'last', 'folder', 'parts', 'seen'])
    .orderBy('first')
    .orderBy('period')
    .execute();

/** Keep with which parts a closing was compared. */
export const keepSeen = async (workspace: Workspace, label: string, seen: string): Promise<void> => {
  await changeIn(workspace, 'closing').set({ seen }).where('period', '=', label).execute();
};

export const closedPeriod = (row: Pick<ClosingRow, 'period' | 'first' | 'last'>): FilingPeriod => ({
  label: row.period,
  first: row.first as CalendarDate,
  last: row.last as CalendarDate,
});
