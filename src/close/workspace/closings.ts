import { pagesBy } from '../../database/pages.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { ClosingRow } from './period-tables.ts';
import { deleteIn, put, rowsIn, type Said } from './queries.ts';
import type { Workspace } from './workspace.ts';

/**
 * Store what a close has written, replacing the last closing of the period. The caller holds the transaction.
 *
 * @param exceptions the texts of the pages of exceptions; one is in memory at a time
 */
export const keepClosing = async (
  workspace: Workspace,
  closing: Said<'closing'>,
  exceptions: Iterable<string>,
): Promise<void> => {
  const { period } = closing;
  await deleteIn(workspace, 'closing_exceptions').where('period', '=', period).execute();
  let page = 0;
  for (const body of exceptions) {
    page += 1;
    await put(workspace, 'closing_exceptions', [{ period, page, body }]);
  }
  await put(workspace, 'closing', [closing]);
};

/** Yields the pages of exceptions of the last close of a period, in their order. */
export async function* closingExceptions(
  workspace: Workspace,
  label: string,
): AsyncGenerator<Said<'closing_exceptions'>> {
  const pages = rowsIn(workspace, 'closing_exceptions').selectAll().where('period', '=', label);
  for await (const page of pagesBy(pages, ['page'], 1)) for (const { entity: _, ...row } of page) yield row;
}

/** Returns the last close of a period; `undefined` when it was never closed. */
export const readClosing = (workspace: Workspace, label: string): Promise<ClosingRow | undefined> =>
  rowsIn(workspace, 'closing').selectAll().where('period', '=', label).executeTakeFirst();

/** Returns the last close of each period, oldest period first, without its report. */
export const closingHeads = (workspace: Workspace): Promise<readonly ClosingHead[]> =>
  rowsIn(workspace, 'closing').select(HEAD).orderBy('first').orderBy('period').execute();

/** Returns the first day of the earliest close; `undefined` if nothing was ever closed. */
export const firstClosedDay = async (workspace: Workspace): Promise<CalendarDate | undefined> => {
  const earliest = await rowsIn(workspace, 'closing')
    .select('first')
    .orderBy('first')
    .limit(1)
    .executeTakeFirst();
  return earliest?.first as CalendarDate | undefined;
};

const HEAD = ['period', 'first', 'last', 'folder', 'parts', 'seen'] as const;

export type ClosingHead = Pick<ClosingRow, (typeof HEAD)[number]>;

export const closedPeriod = (row: Pick<ClosingRow, 'period' | 'first' | 'last'>): FilingPeriod => ({
  label: row.period,
  first: row.first as CalendarDate,
  last: row.last as CalendarDate,
});
