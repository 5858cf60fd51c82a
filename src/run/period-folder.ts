import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import type { CalendarDate } from '../kernel/calendar.ts';
import { diskFailure } from '../kernel/errors.ts';
import { type FilingPeriod, parseVersion } from '../kernel/period.ts';
import { zoneCalendar } from '../kernel/time-zones.ts';
import { exists } from '../runtime/publish-folder.ts';
import type { ClosePorts } from './close-ports.ts';

/** Returns the folder for the workbooks and the evidence of a period. */
export const periodFolder = (
  { output, configuration }: Pick<ClosePorts, 'output' | 'configuration'>,
  period: Pick<FilingPeriod, 'label'>,
): string => join(output, configuration.entity, period.label);

/** Follows the state of books that may still miss sales. */
export const PRELIMINARY = 'preliminary: the period is not over';

type Clocked = Pick<ClosePorts, 'configuration' | 'clock'>;

/** Returns today in the seller's time zone if the period is not over; otherwise `undefined`. */
export const dayBeforeEnd = (
  { configuration, clock }: Clocked,
  { last }: Pick<FilingPeriod, 'last'>,
): CalendarDate | undefined => {
  const today = zoneCalendar(configuration.timeZone).dateAt(clock.now());
  return last < today ? undefined : today;
};

/** Returns a message for a period that is not over in the seller's time zone; otherwise `undefined`. */
export const runningPeriod = (ports: Clocked, { label, first, last }: FilingPeriod): string | undefined => {
  const today = dayBeforeEnd(ports, { last });
  if (today === undefined) return undefined;
  const why = today < first ? `begins on ${first}` : `ends on ${last}`;
  return `${label} ${why}, and today is ${today}: these books are preliminary; close it again after its last day`;
};

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

/**
 * A filing period as a person writes it: `2026-10`, `2026-Q3`, `2026-H1`, `2026` or `2026-10..2027-03`; or an amended
 * version of one, `2026-10-amended-1`.
 */
export const PeriodParam = z.string().transform((text, context): FilingPeriod => {
  const period = parseVersion(text);
  if (period) return period;
  context.issues.push({ code: 'custom', input: text, message: 'is not a filing period' });
  return z.NEVER;
});
