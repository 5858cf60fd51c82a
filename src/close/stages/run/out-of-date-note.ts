import { rm, writeFile } from 'node:fs/promises';
import { diskFailure } from '../../../kernel/disk-failure.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { exists } from '../../../runtime/exists.ts';
import { compareClosings } from '../../periods/outdated-closings.ts';
import { interruptedRun } from '../../workspace/runs.ts';
import type { ClosePorts } from './close-ports.ts';
import { periodFolder } from './period-folder.ts';

type Place = Pick<ClosePorts, 'output' | 'configuration'>;

/** The note beside the folder of a period: what is in the folder stays byte for byte what it was. */
const noteBeside = (folder: string): string => `${folder}.out-of-date.txt`;

const UNWRITABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']);

/**
 * While a run is at work on a period that was closed before, its folder holds what an earlier run found. A note
 * beside it says so, from the start, so that a run that is killed leaves it behind.
 */
export const noteOutOfDate = (place: Place, period: FilingPeriod): Promise<void> =>
  write(
    periodFolder(place, period),
    period.label,
    `The files in ${period.label} are of an earlier run: a later one has begun and is not complete.`,
  );

/** The folder holds what the exports said of the period when it was closed, and they say something else now. */
const noteOutdated = (folder: string, label: string): Promise<void> =>
  write(
    folder,
    label,
    `The files in ${label} are out of date: what the exports say of ${label} has changed since it was closed.`,
  );

const write = async (folder: string, label: string, reason: string): Promise<void> => {
  if (!(await exists(folder))) return;
  const text = `${reason}\nRun \`tieout close ${label}\` again; this note goes when the files are up to date.\n`;
  const path = noteBeside(folder);
  // Where nothing may be written, publishing will say so, with what to do about it.
  await writeFile(path, text).catch((error: NodeJS.ErrnoException) => {
    if (!UNWRITABLE.has(error.code ?? '')) throw diskFailure(error, path) ?? error;
  });
};

/** The folder is what the run that has just ended has found. */
export const removeOutOfDateNote = (place: Place, period: FilingPeriod): Promise<void> =>
  removeNote(periodFolder(place, period));

const removeNote = (folder: string): Promise<void> => rm(noteBeside(folder), { force: true });

/**
 * Closed periods of which the exports say something else by now, by their labels: a note beside the folder of each
 * says so, and goes when the exports say again what they said.
 */
export const outdatedPeriods = async ({ workspace }: ClosePorts): Promise<readonly string[]> => {
  const outdated: string[] = [];
  for (const { label, folder, isOutdated } of await compareClosings(workspace)) {
    if (isOutdated) {
      await noteOutdated(folder, label);
      outdated.push(label);
    } else if (!(await interruptedRun(workspace, label))) await removeNote(folder);
  }
  return outdated;
};
