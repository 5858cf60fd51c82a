import type { LockLine } from '../evidence/lock-line.ts';
import { DefectError, TieoutError } from '../kernel/errors.ts';
import {
  amendedLabel,
  amendedPeriod,
  amendmentNumber,
  type FilingPeriod,
  parseVersion,
} from '../kernel/period.ts';
import { amendedTogether } from '../periods/corrections.ts';
import { addLines } from '../periods/lock.ts';
import type { LockWish } from '../periods/lock-checks.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { type StageRunner, stageRunner } from '../runtime/pipeline.ts';
import { silentProgress } from '../runtime/progress.ts';
import { readStage, trialOf } from './close.ts';
import { inEffect } from './frozen.ts';
import { lockPortsOf, takeLocks } from './locked.ts';

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
    return { ...wish, label, current };
  });
  return addLines(lockPortsOf(ports), wishes);
};

const versionOf = (label: string): FilingPeriod => {
  const period = parseVersion(label);
  if (!period) throw new DefectError(`${label} is not the label of a version`);
  return period;
};

/**
 * Returns the label of the amended version that follows the one in effect.
 *
 * @throws {TieoutError} E_PERIOD_NOT_LOCKED for a period that is not locked
 */
export const nextVersion = async (
  ports: Pick<ClosePorts, 'configuration' | 'output'>,
  { label }: FilingPeriod,
): Promise<string> => {
  const own = inEffect(await takeLocks(ports), label);
  if (own) return amendedLabel(own.label, own.version + 1);
  const period = amendedPeriod(label);
  throw new TieoutError({
    code: 'E_PERIOD_NOT_LOCKED',
    message: `${period} cannot be amended: it is not locked`,
    nextStep: `What is not locked is closed again: \`tieout close ${period}\`.`,
  });
};

/** Returns the versions that are locked with one: a sale that moved between two locked periods amends both. */
export const versionsWith = async (
  run: StageRunner,
  ports: ClosePorts,
  { label }: FilingPeriod,
): Promise<readonly string[]> => {
  if (amendmentNumber(label) === 0) return [label];
  const { locks, late } = await readStage(run, ports, await takeLocks(ports));
  return amendedTogether(late.corrections, amendedPeriod(label)).map((each) =>
    amendedLabel(each, (inEffect(locks, each)?.version ?? 0) + 1),
  );
};
