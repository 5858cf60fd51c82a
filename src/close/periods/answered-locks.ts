import { isAmendmentLabel } from '../../kernel/amended-version.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { filingPlan, isFiled, nextOpenDay } from '../period-sales/filing-plan.ts';
import { type Lock, locksOf } from '../workspace/locks.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { findLate } from './find-late.ts';
import type { LateItem } from './late-item.ts';

/** Returns the locked periods whose late items must be decided before `period` closes, as it is the next open one. */
export const locksAnsweredBy = async (
  workspace: Workspace,
  period: FilingPeriod,
): Promise<readonly Lock[]> => {
  const locks = await locksOf(workspace);
  if (locks.length === 0 || isAmendmentLabel(period.label) || isFiled(filingPlan(period, locks))) return [];
  return locks.filter((lock) => {
    const day = nextOpenDay(lock, locks);
    return lock.version === 0 && period.first <= day && day <= period.last;
  });
};

/** Returns the late items that a person has to decide before this period is clean. */
export const undecidedFor = async (
  workspace: Workspace,
  period: FilingPeriod,
): Promise<readonly LateItem[]> => {
  const locks = await locksOf(workspace);
  const items: LateItem[] = [];
  for (const lock of await locksAnsweredBy(workspace, period))
    items.push(...(await findLate(workspace, lock, locks)));
  return items;
};
