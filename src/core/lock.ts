import type { LockLine } from '../close/evidence/lock-line.ts';
import { DefectError } from '../kernel/errors.ts';
import { type FilingPeriod, parseVersion } from '../kernel/period.ts';
import { addLines } from '../periods/lock.ts';
import type { LockWish } from '../periods/lock-checks.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { stageRunner } from '../runtime/pipeline.ts';
import { silentProgress } from '../runtime/progress.ts';
import { trialOf } from './close.ts';
import { lockPortsOf } from './locked.ts';
import { versionsWith } from './versions.ts';

/**
 * Signs or locks what a close would write now. Versions that are amended together are locked together.
 *
 * @returns the lines that the register got
 */
export const addLocks = async (
  ports: ClosePorts,
  wish: Omit<LockWish, 'current'>,
): Promise<readonly LockLine[]> => {
  const run = stageRunner({ progress: silentProgress });
  const labels =
    wish.what === 'locked' ? await versionsWith(run, ports, versionOf(wish.label)) : [wish.label];
  const wishes = labels.map((label): LockWish => {
    const current = async () => (await trialOf(run, ports, versionOf(label))).manifest;
    return { ...wish, label, current, asked: label === wish.label ? wish.asked : undefined };
  });
  return addLines(lockPortsOf(ports), wishes);
};

const versionOf = (label: string): FilingPeriod => {
  const period = parseVersion(label);
  if (!period) throw new DefectError(`${label} is not the label of a version`);
  return period;
};
