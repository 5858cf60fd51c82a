import type { CalendarDate } from '../../kernel/calendar.ts';
import { nextOpenDay } from '../period-sales/filing-plan.ts';
import { carriedUnclosed } from '../workspace/carried-sales.ts';
import { allLocks, holdsReturns, locksOf } from '../workspace/locks.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { findLate } from './find-late.ts';
import { recordOf } from './late-item.ts';
import { filedSince } from './locked-returns.ts';

/** What waits for a locked period: late items that are in no books yet, by the name of the record, and amended returns. */
export type WaitingLate = {
  /** The locked period. */
  readonly period: string;
  /** Records that are not decided yet. */
  readonly undecided: readonly string[];
  /** Records that are carried to a later period that is not closed yet. */
  readonly carried: readonly string[];
  /** The first open day after the lock, on which carried records count. */
  readonly nextOpen: CalendarDate;
  /** Versions of shorter periods that were filed since the returns of this longer one were locked. */
  readonly filedSince: readonly string[];
  /** An amended version that was begun and is not locked yet. */
  readonly begun: string | undefined;
};

/**
 * Returns the late items that wait, by lock of the entity, oldest first.
 *
 * @param carries whether the next close carries forward what is undecided
 */
export const waitingLate = async (
  workspace: Workspace,
  carries: boolean,
): Promise<readonly WaitingLate[]> => {
  const all = await allLocks(workspace);
  const locks = await locksOf(workspace);
  const waiting: WaitingLate[] = [];
  for (const lock of all.filter(({ version }) => version === 0)) {
    const isOfReturns = holdsReturns(lock, all);
    const items = isOfReturns ? [] : await findLate(workspace, lock, locks);
    const open = new Set(items.map(recordOf));
    const decided = (await carriedUnclosed(workspace, lock.period)).map(({ origin }) => origin.record);
    const { period } = lock;
    waiting.push({
      period,
      undecided: carries ? [] : [...open],
      carried: [...new Set([...(carries ? open : []), ...decided.filter((record) => !open.has(record))])],
      nextOpen: nextOpenDay(lock, locks),
      filedSince: isOfReturns ? await filedSince(workspace, lock) : [],
      begun: all.find((other) => other.period === period && other.state === 'open')?.label,
    });
  }
  return waiting.filter(
    ({ undecided, carried, filedSince: since, begun }) =>
      undecided.length + carried.length + since.length > 0 || begun !== undefined,
  );
};
