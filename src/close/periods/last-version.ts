import { versionBefore } from '../../kernel/amended-version.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { locksOf } from '../workspace/locks.ts';
import type { Workspace } from '../workspace/workspace.ts';

/**
 * Returns the periods before this one, newest first. Each is the version that was filed last: its last locked amended
 * version, or the period itself if it has none.
 */
export const lastVersionsBefore = async (
  workspace: Workspace,
  period: FilingPeriod,
  count: number,
): Promise<readonly FilingPeriod[]> => {
  const filed = (await locksOf(workspace)).filter(({ state }) => state === 'locked');
  const versions: FilingPeriod[] = [];
  for (
    let before = versionBefore(period);
    before && versions.length < count;
    before = versionBefore(before)
  ) {
    const { label } = before;
    versions.push({ ...before, label: filed.findLast((lock) => lock.period === label)?.label ?? label });
  }
  return versions;
};
