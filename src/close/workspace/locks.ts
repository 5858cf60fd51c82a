import type { CalendarDate } from '../../kernel/calendar.ts';
import { rowsIn } from './queries.ts';
import type { Workspace } from './workspace.ts';

/** A locked period, or an amended version of one. */
export type Lock = {
  /** `2026-10`, or `2026-10-amended-1`. */
  readonly label: string;
  /** The period that was locked first, whatever the version. */
  readonly period: string;
  /** 0, or the number of the amendment. */
  readonly version: number;
  readonly first: CalendarDate;
  readonly last: CalendarDate;
  /** An amended version is open until it is closed and locked itself. */
  readonly state: 'locked' | 'open';
  readonly digest: string;
};

/**
 * Returns the locks that hold sales, oldest period first, each before its amended versions: every day is in one of them at
 * most.
 */
export const locksOf = async (workspace: Workspace): Promise<readonly Lock[]> => {
  const locks = await allLocks(workspace);
  return locks.filter((lock) => !holdsReturns(lock, locks));
};

/**
 * Whether a lock holds the returns of a longer period alone: the sales of its days are held by the locks within it.
 */
export const holdsReturns = (
  { period, first, last }: Pick<Lock, 'period' | 'first' | 'last'>,
  locks: readonly Lock[],
): boolean => locks.some((other) => other.period !== period && first <= other.first && other.last <= last);

/** Returns all locks of the entity in the same order, those of returns among them. */
export const allLocks = async (workspace: Workspace): Promise<readonly Lock[]> => {
  const rows = await rowsIn(workspace, 'period_lock')
    .select(['label', 'period', 'version', 'first', 'last', 'state', 'digest'])
    .orderBy('first')
    .orderBy('version')
    .execute();
  return rows.map((row) => ({
    ...row,
    first: row.first as CalendarDate,
    last: row.last as CalendarDate,
  }));
};
