import { carrySales } from './carried-sales.ts';
import { keepClosing, readClosing } from './closings.ts';
import type { ClosingRow } from './period-tables.ts';
import { addNumbered, rowsIn, type Said } from './queries.ts';
import { keepPeriod } from './trend.ts';
import type { Workspace } from './workspace.ts';

/** The stored books of a locked period except its sales and its exceptions, without the columns for the folder and the entity. */
export type LockBooks = {
  readonly closing: readonly Omit<ClosingRow, 'entity' | 'folder'>[];
  readonly period_state: readonly Said<'period_state'>[];
  readonly carried_sale: readonly Said<'carried_sale'>[];
  readonly late_decision: readonly Omit<Said<'late_decision'>, 'number'>[];
  readonly period_event: readonly Omit<Said<'period_event'>, 'number'>[];
};

/** Returns the books of a period, or of an amended version when `label` differs from `period`. */
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

/** Store the books of a lock, replacing what the workspace had for the period. */
export const adoptBooks = async (
  workspace: Workspace,
  books: Omit<LockBooks, 'closing'>,
  closing: Said<'closing'>,
  exceptions: Iterable<string>,
): Promise<void> => {
  await keepClosing(workspace, closing, exceptions);
  await keepPeriod(workspace, closing.period, books.period_state);
  // Carried records for the same corrections that are not filed are replaced by what was filed.
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
