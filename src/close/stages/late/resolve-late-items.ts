import type { FilingPeriod } from '../../../kernel/period.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { findLate } from '../../periods/find-late.ts';
import type { Lock } from '../../workspace/locks.ts';
import type { Workspace } from '../../workspace/workspace.ts';

export type LateFigures = {
  readonly open: number;
  readonly carried: number;
  readonly amended: number;
  /** Number of open items of the closed period itself, which is locked. */
  readonly behind: number;
};

/**
 * Returns the late items of a filed period. They are decided with the next open period, not here.
 */
export const lateBehind = async (
  workspace: Workspace,
  period: FilingPeriod,
  locks: readonly Lock[],
): Promise<StageResult<LateFigures>> => {
  const own = locks.filter(
    ({ version, first, last }) => version === 0 && first <= period.last && period.first <= last,
  );
  const told: string[] = [];
  let behind = 0;
  for (const lock of own) {
    const { length } = await findLate(workspace, lock, locks);
    behind += length;
    if (length > 0)
      told.push(`${length} came late for ${lock.label}, which is locked: \`tieout late ${lock.label}\``);
  }
  return {
    value: { open: 0, carried: 0, amended: 0, behind },
    summary: told.length === 0 ? 'nothing came late' : told.join('; '),
  };
};
