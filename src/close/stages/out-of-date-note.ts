import { rm, writeFile } from 'node:fs/promises';
import { diskFailure } from '../../kernel/disk-failure.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { exists } from '../../runtime/exists.ts';
import type { ClosePorts } from './close-ports.ts';
import { periodFolder } from './period-folder.ts';

type Place = Pick<ClosePorts, 'output' | 'configuration'>;

/** The note beside the folder of a period: what is in the folder stays byte for byte what it was. */
export const outOfDatePath = (place: Place, period: FilingPeriod): string =>
  `${periodFolder(place, period)}.out-of-date.txt`;

const UNWRITABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']);

/**
 * While a run is at work on a period that was closed before, its folder holds what an earlier run found. A note
 * beside it says so, from the start, so that a run that is killed leaves it behind.
 */
export const noteOutOfDate = async (place: Place, period: FilingPeriod): Promise<void> => {
  const folder = periodFolder(place, period);
  const isThere = await exists(folder);
  if (!isThere) return;
  const text = `The files in ${period.label} are of an earlier run: a later one has begun and is not complete.\nRun \`tieout close ${period.label}\` again; this note goes when the files are up to date.\n`;
  const path = outOfDatePath(place, period);
  // Where nothing may be written, publishing will say so, with what to do about it.
  await writeFile(path, text).catch((error: NodeJS.ErrnoException) => {
    if (!UNWRITABLE.has(error.code ?? '')) throw diskFailure(error, path) ?? error;
  });
};

/** The folder is what the run that has just ended has found. */
export const removeOutOfDateNote = async (place: Place, period: FilingPeriod): Promise<void> =>
  rm(outOfDatePath(place, period), { force: true });
