import { carrySales } from './carried-sales.ts';
import { keepClosing, readClosing } from './closings.ts';
import type { ClosingRow } from './period-tables.ts';
import { addNumbered, rowsIn, type Said } from './queries.ts';
import { keepPeriod } from './trend.ts';
import type { Workspace } from './workspace.ts';

/** What is kept of a locked period beside its sales, without what names the folder or the entity. */
export type LockBooks = {
  readonly closing: readonly Omit<ClosingRow, 'entity' | 'folder'>[];
  readonly period_state: readonly Said<'period_state'>[];
  readonly carried_sale: readonly Said<'carried_sale'>[];
  readonly late_decision: readonly Omit<Said<'late_decision'>, 'number'>[];
  readonly period_event: readonly Omit<Said<'period_event'>, 'number'>[];
};

/** The books of a period; of an amended version where its label is another than that of its period. */
export const booksOf = async (
  workspace: Workspace,
  { label, first, last }: { readonly label: string; readonly first: string; readonly last: string },
  period: string,
): Promise<LockBooks> => {
  const closing = await readClosing(workspace, label);
  const states = await rowsIn(workspace, 'period_state')
    .selectAll()
    .where('period', '=', label)
    .orderBy('state')
    .execute();
  const carried = await rowsIn(workspace, 'carried_sale')
    .selectAll()
    .where('amendment', '=', label === period ? '' : label)
    .where('filed_on', '>=', first)
    .where('filed_on', '<=', last)
    .orderBy('key')
    .execute();
  const decisions = await rowsIn(workspace, 'late_decision')
    .selectAll()
    .where(({ eb, or, and }) =>
      or([
        eb('destination', '=', label),
        and([eb('choice', '=', 'carried'), eb('destination', '>=', first), eb('destination', '<=', last)]),
      ]),
    )
    .orderBy('number')
    .execute();
  const events = await rowsIn(workspace, 'period_event')
    .selectAll()
    .where('period', '=', label)
    .orderBy('number')
    .execute();
  return {
    closing: (closing ? [closing] : []).map(({ entity: _, folder: __, ...row }) => row),
    period_state: states.map(({ entity: _, ...row }) => row),
    carried_sale: carried.map(({ entity: _, ...row }) => row),
    late_decision: decisions.map(({ entity: _, number: __, ...row }) => row),
    period_event: events.map(({ entity: _, number: __, ...row }) => row),
  };
};

/** Write the books of a lock in the place of what the workspace had of the period. */
export const adoptBooks = async (
  workspace: Workspace,
  books: Omit<LockBooks, 'closing'>,
  closing: Said<'closing'>,
): Promise<void> => {
  await keepClosing(workspace, closing);
  await keepPeriod(workspace, closing.period, books.period_state);
  // What the workspace carried of the same records and no lock holds gives way to what was filed.
  const corrected = new Set(books.carried_sale.map(({ corrects }) => corrects));
  await carrySales(workspace, [...corrected], books.carried_sale);
  for (const table of ['late_decision', 'period_event'] as const) {
    const known = await rowsIn(workspace, table as 'period_event')
      .selectAll()
      .execute();
    const lacking = books[table].filter(
      (row) => !known.some(({ entity: _, number: __, ...each }) => isSame(each, row)),
    );
    await addNumbered(workspace, table, lacking as never);
  }
};

const isSame = (left: object, right: object): boolean => {
  const [a, b] = [left, right] as readonly Readonly<Record<string, unknown>>[];
  return Object.keys({ ...a, ...b }).every((name) => a?.[name] === b?.[name]);
};
