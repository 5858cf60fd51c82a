import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { diskFailure } from '../kernel/errors.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { exists } from '../runtime/exists.ts';
import type { ClosePorts } from './close-ports.ts';
import { periodFolder } from './period-folder.ts';

type Place = Pick<ClosePorts, 'output' | 'configuration'>;

/**
 * Returns the path of the note beside the folder of a period. The content of the folder itself stays byte for byte the
 * same.
 */
const noteBeside = (folder: string): string => `${folder}.out-of-date.txt`;

const UNWRITABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']);

/**
 * Writes a note beside the folder of a period that was closed before: while a run is in progress, the folder contains
 * the results of an earlier run. The note is written at the start, so that a run that is killed leaves it behind.
 */
export const noteOutOfDate = (place: Place, period: FilingPeriod): Promise<void> =>
  write(
    periodFolder(place, period),
    period.label,
    `The files in ${period.label} are of an earlier run: a later one has begun and is not complete.`,
  );

/** Writes a note beside a folder that builds on books of an earlier period, which were written again since. */
export const noteOutdated = (folder: string, label: string, before: string): Promise<void> =>
  write(folder, label, `The files in ${label} are out of date: ${outdatedText(before, 'they build')}.`);

/** Says why books are out of date: `2026-09, on which it builds, was closed again since`. */
export const outdatedText = (before: string, build: 'it builds' | 'they build'): string =>
  `${before}, on which ${build}, was closed again since`;

const write = async (folder: string, label: string, reason: string): Promise<void> => {
  const text = `${reason}\nRun \`tieout close ${label}\` again; this note goes when the files are up to date.\n`;
  const path = noteBeside(folder);
  try {
    if (await exists(folder)) await writeFile(path, text);
  } catch (error) {
    // If the folder is not accessible, the run itself reports that with advice.
    if (!UNWRITABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw diskFailure(error, path) ?? error;
  }
};

/** Removes the note, because the folder now contains the results of the completed run. */
export const removeOutOfDateNote = (place: Place, period: FilingPeriod): Promise<void> =>
  removeNote(periodFolder(place, period));

/** Removes the note beside a folder. */
export const removeNote = (folder: string): Promise<void> => rm(noteBeside(folder), { force: true });

/** Returns why the files of a folder are out of date, as the note beside it says; `undefined` without a note. */
export const outOfDateReason = async (folder: string): Promise<string | undefined> => {
  const path = noteBeside(folder);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text && `${basename(path)}: ${text.split('\n', 1)[0]}`;
};
