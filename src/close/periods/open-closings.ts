import type { FilingPeriod } from '../../kernel/period.ts';
import { filingPlan, isFiled } from '../period-sales/filing-plan.ts';
import { type ClosingHead, closedPeriod, closingHeads } from '../workspace/closings.ts';
import { allLocks, locksOf } from '../workspace/locks.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { versionsWithin } from './locked-returns.ts';

/** Returns the closings that can still be filed: neither they nor a longer period that has all of their days are locked. */
export const openClosings = async (workspace: Workspace): Promise<readonly ClosingHead[]> => {
  const locks = await allLocks(workspace);
  const locked = new Set(locks.filter(({ state }) => state === 'locked').map(({ label }) => label));
  const days = await locksOf(workspace);
  const isOfLonger = (period: FilingPeriod): boolean =>
    isFiled(filingPlan(period, days)) && versionsWithin(period, locks) === undefined;
  return (await closingHeads(workspace)).filter(
    (head) => !locked.has(head.period) && !isOfLonger(closedPeriod(head)),
  );
};
