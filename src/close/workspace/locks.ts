import { pagesBy } from '../../database/pages.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { deleteIn, put, rowsIn, type Said } from './queries.ts';
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

/** Set a lock, or begin an amended version. */
export const setLock = (workspace: Workspace, lock: Said<'period_lock'>): Promise<void> =>
  put(workspace, 'period_lock', [lock]);

/** Open an amended version, to be closed and locked later. */
export const openAmendment = (
  workspace: Workspace,
  { label, period, version, first, last }: Omit<Lock, 'state' | 'digest'>,
): Promise<void> =>
  setLock(workspace, {
    ...{ label, period, version, first, last },
    ...{ state: 'open', digest: '', body: '{}' },
  });

/** Returns the content of a lock by label: its digest and its snapshot. */
export const lockContent = (workspace: Workspace, label: string) =>
  rowsIn(workspace, 'period_lock')
    .select(['state', 'digest', 'body'])
    .where('label', '=', label)
    .executeTakeFirst();

/** Returns the snapshot of each lock that is set. */
export const frozenBodies = async (workspace: Workspace): Promise<readonly string[]> => {
  const locked = rowsIn(workspace, 'period_lock').select('body').where('state', '=', 'locked');
  return (await locked.execute()).map(({ body }) => body);
};

/**
 * Remove a lock and what it froze. A period is removed with its open amended versions; an amended version becomes open.
 */
export const removeLock = async (workspace: Workspace, lock: Lock): Promise<void> => {
  for (const table of ['filed_sale', 'filed_page', 'kept_file'] as const)
    await deleteIn(workspace, table as 'kept_file')
      .where('label', '=', lock.label)
      .execute();
  if (lock.version > 0) await openAmendment(workspace, lock);
  else await deleteIn(workspace, 'period_lock').where('period', '=', lock.period).execute();
};

/** Store one part of a file of a locked period. */
export const keepPiece = (
  workspace: Workspace,
  { content, ...piece }: Omit<Said<'kept_file'>, 'content'> & { readonly content: Buffer },
): Promise<void> => put(workspace, 'kept_file', [{ ...piece, content: content.toString('base64') }]);

/** Yields the bytes of a file that a lock keeps, part by part. */
export async function* keptBytes(workspace: Workspace, label: string, path: string): AsyncGenerator<Buffer> {
  const file = rowsIn(workspace, 'kept_file').selectAll().where('label', '=', label).where('path', '=', path);
  for await (const page of pagesBy(file, ['part'], 1))
    for (const { content } of page) yield Buffer.from(content, 'base64');
}
