import type { CalendarDate } from '../../kernel/calendar.ts';
import { nextOpenDay } from '../period-sales/filing-plan.ts';
import { carriedUnclosed } from '../workspace/carried-sales.ts';
import { locksOf } from '../workspace/locks.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { findLate } from './find-late.ts';
import { recordOf } from './late-item.ts';

/** Late items of a locked period that are in no books yet, by the name of the record in the shop. */
export type WaitingLate = {
  /** The locked period. */
  readonly period: string;
  /** Records that are not decided yet. */
  readonly undecided: readonly string[];
  /** Records that are carried to a later period that is not closed yet. */
  readonly carried: readonly string[];
  /** The first open day after the lock, on which carried records count. */
  readonly nextOpen: CalendarDate;
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
  const locks = await locksOf(workspace);
  const waiting: WaitingLate[] = [];
  for (const lock of locks.filter(({ version }) => version === 0)) {
    const items = await findLate(workspace, lock, locks);
    const open = new Set(items.map(recordOf));
    const decided = (await carriedUnclosed(workspace, lock.period)).map(({ origin }) => origin.record);
    const { period } = lock;
    waiting.push({
      period,
      undecided: carries ? [] : [...open],
      carried: [...new Set([...(carries ? open : []), ...decided.filter((record) => !open.has(record))])],
      nextOpen: nextOpenDay(lock, locks),
      begun: locks.find((other) => other.period === period && other.state === 'open')?.label,
    });
  }
  return waiting.filter(
    ({ undecided, carried, begun }) => undecided.length + carried.length > 0 || begun !== undefined,
  );
};
