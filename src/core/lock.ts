import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCK_FILE, type LockLine } from '../evidence/lock-line.ts';
import { MANIFEST_PATH } from '../evidence/manifest.ts';
import { TieoutError } from '../kernel/errors.ts';
import { amendedLabel, amendedPeriod, type FilingPeriod, parseVersion } from '../kernel/period.ts';
import { type ClosePorts, periodFolder } from '../periods/close-ports.ts';
import { amendedTogether, inEffect, nextLabel } from '../periods/corrections.ts';
import { addLines, type LockWish } from '../periods/lock.ts';
import { lockFileOf } from '../periods/locks.ts';
import { type StageRunner, silentProgress, stageRunner } from '../runtime/pipeline.ts';
import { sha256OfFile } from '../runtime/publish-folder.ts';
import { drawInto } from './publish.ts';
import {
  type Close,
  lockPlaceOf,
  lockPortsOf,
  type Place,
  partsFolder,
  readStage,
  takeLocks,
} from './reading.ts';

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
  const { period: own } = wish;
  const periods = wish.what === 'locked' ? await versionsWith(run, ports, own) : [own];
  return addLines(
    lockPortsOf(ports),
    periods.map((period) => ({
      ...wish,
      period,
      current: () => trialOf(run, ports, period),
    })),
  );
};

/**
 * Returns the label of the amended version that follows the one in effect.
 *
 * @throws {TieoutError} E_PERIOD_NOT_LOCKED for a period that is not locked
 */
export const nextVersion = async (ports: Place, { label }: FilingPeriod): Promise<string> => {
  const own = inEffect(await takeLocks(ports), label);
  if (own) return amendedLabel(own.label, own.version + 1);
  const period = amendedPeriod(label);
  throw new TieoutError({
    code: 'E_PERIOD_NOT_LOCKED',
    message: `${period} cannot be amended: it is not locked`,
    nextStep: `What is not locked is closed again: \`tieout close ${period}\`.`,
  });
};

/** Returns the versions that are locked with one: a sale that moved between two locked periods amends both. None is with one that is not next. */
export const versionsWith = async (
  run: StageRunner,
  ports: ClosePorts,
  period: FilingPeriod,
): Promise<readonly FilingPeriod[]> => {
  const taken = await takeLocks(ports);
  const amended = amendedPeriod(period.label);
  if (nextLabel(taken, amended) !== period.label) return [period];
  const { locks, late } = await readStage(run, ports, taken);
  return amendedTogether(late.corrections, amended).map(
    (each) => parseVersion(nextLabel(locks, each)) as FilingPeriod,
  );
};

/** Returns the digest of the manifest that a close would write now. */
const trialOf = async (run: StageRunner, ports: ClosePorts, period: FilingPeriod) => {
  const reading = await readStage(run, ports, await takeLocks(ports));
  const close: Close = { run, ports, period, ...reading };
  const trial = join(partsFolder(ports), 'trial');
  await rm(trial, { recursive: true, force: true });
  await drawInto(close, trial);
  return sha256OfFile(join(trial, MANIFEST_PATH));
};

/** Keeps the signatures of exactly what is in a folder. */
export const keepSignatures = async ({ ports, period, locks }: Close, staging: string): Promise<void> => {
  const manifest = await sha256OfFile(join(staging, MANIFEST_PATH));
  const text = lockFileOf(locks.lines, lockPlaceOf(ports), periodFolder(ports, period), manifest);
  if (text !== undefined) await writeFile(join(staging, LOCK_FILE), text, { mode: 0o600 });
};
