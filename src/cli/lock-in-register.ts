import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import type { LockLine } from '../close/evidence/lock-line.ts';
import type { LockWish } from '../close/published/lock-checks.ts';
import { trialOf } from '../core/close.ts';
import { lockPortsOf } from '../core/locked.ts';
import { versionsWith } from '../core/versions.ts';
import { addLines } from '../periods/lock.ts';
import { stageRunner } from '../runtime/pipeline.ts';
import { silentProgress } from '../runtime/progress.ts';
import { isOldCore } from '../runtime/which-core.ts';
import { periodOf } from './close-options.ts';
import type { CommandIo } from './io.ts';

/** Whether commands keep locks in the register beside `tieout.yaml`. */
export const hasRegister = (): boolean => !isOldCore();

type Given = Omit<LockWish, 'current'>;
type Place = { readonly output: string | undefined; readonly content: string | undefined };

/**
 * Signs or locks what a close would write now. Versions that are amended together are locked together.
 *
 * @returns the lines of the register
 */
export const lineInRegister = (
  io: CommandIo,
  configuration: LoadedConfiguration,
  given: Given,
  place: Place,
): Promise<readonly LockLine[]> =>
  io.withClose(configuration, { ...place, recompute: false, maxCalculations: undefined }, async (ports) => {
    const run = stageRunner({ progress: silentProgress });
    const period = periodOf(given.label);
    const labels = given.what === 'locked' ? await versionsWith(run, ports, period) : [given.label];
    const wishes = labels.map((label): LockWish => {
      const current = async () => (await trialOf(run, ports, periodOf(label))).manifest;
      return { ...given, label, current };
    });
    return addLines(lockPortsOf(ports), wishes);
  });
