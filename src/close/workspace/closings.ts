import type { CalendarDate } from '../../kernel/calendar.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { ClosingRow } from './period-tables.ts';
import { changeIn, put, rowsIn, type Said } from './queries.ts';
import type { Workspace } from './workspace.ts';

/** Store what a close has written, replacing the last closing of the period. */
export const keepClosing = (workspace: Workspace, closing: Said<'closing'>): Promise<void> =>
  put(workspace, 'closing', [closing]);

/** Returns the last close of a period; `undefined` when it was never closed. */
export const readClosing = (workspace: Workspace, label: string): Promise<ClosingRow | undefined> =>
  rowsIn(workspace, 'closing').selectAll().where('period', '=', label).executeTakeFirst();

/** Returns the last close of each period, oldest period first, without its report. */
export const closingHeads = (workspace: Workspace): Promise<readonly ClosingHead[]> =>
  rowsIn(workspace, 'closing').select(HEAD).orderBy('first').orderBy('period').execute();

/** Returns the last close of a period without its report. */
export const closingHead = (workspace: Workspace, label: string): Promise<ClosingHead | undefined> =>
  rowsIn(workspace, 'closing').select(HEAD).where('period', '=', label).executeTakeFirst();

const HEAD = ['period', 'first', 'last', 'folder', 'parts', 'seen'] as const;

type ClosingHead = Pick<ClosingRow, (typeof HEAD)[number]>;

/** Store the parts with which a closing was last compared. */
export const keepSeen = async (workspace: Workspace, label: string, seen: string): Promise<void> => {
  await changeIn(workspace, 'closing').set({ seen }).where('period', '=', label).execute();
};

export const closedPeriod = (row: Pick<ClosingRow, 'period' | 'first' | 'last'>): FilingPeriod => ({
  label: row.period,
  first: row.first as CalendarDate,
  last: row.last as CalendarDate,
});
