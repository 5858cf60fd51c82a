import { join } from 'node:path';
import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { type LockLine, versionLabel } from '../close/evidence/lock-line.ts';
import { MANIFEST_PATH } from '../close/evidence/manifest.ts';
import { varianceOf } from '../close/figures/period-report.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { type FilingPeriod, monthsOf } from '../kernel/period.ts';
import type { Filing } from '../periods/filings.ts';
import {
  closedReportOf,
  type Locks,
  type PublishedPeriod,
  type PublishedPeriods,
} from '../periods/folders.ts';
import { rewrittenBefore } from '../periods/outdated.ts';
import type { Run } from '../periods/runs.ts';
import { sha256OfFile } from '../runtime/publish-folder.ts';
import { changedSettings } from './changed-settings.ts';
import { linesAboutFiles } from './lines-about-files.ts';
import type { PeriodBooks } from './status-periods.ts';
import { datedReturns } from './status-returns.ts';

/** What tells how the books of a period stand. */
export type Around = {
  readonly configuration: LoadedConfiguration;
  readonly published: PublishedPeriods;
  readonly locks: Pick<Locks, 'lines' | 'periods' | 'versions'>;
  readonly filings: readonly Filing[];
  readonly today: CalendarDate;
};

/** Reads the books in the folder of a period. */
export const booksOf = async (
  found: PublishedPeriod,
  lastClose: Run | undefined,
  { configuration, published, locks, filings, today }: Around,
): Promise<PeriodBooks> => {
  const { period, folder, manifest, leaves, isLocked } = found;
  const { content } = manifest;
  const report = await closedReportOf(found);
  const standing = { today, filings, isLocked };
  return {
    folder,
    variance: varianceOf({ ...report, exceptions: [] }),
    open: content.exceptions.open,
    readiness: content.readiness,
    isOver: period.last < today,
    closedEarly: report.madeEarly,
    isSigned: await isSigned(found, locks.lines),
    isLocked,
    isLockedInPart: isLockedInPart(period, locks),
    configurationChanged: isLocked ? [] : changedSettings(content, lastClose, configuration),
    outdatedBy: await rewrittenBefore(published, found),
    aboutFiles: linesAboutFiles(report),
    returns: datedReturns(report, configuration.registrations, standing),
    unreturned: leaves.unreturned ?? [],
  };
};

const isSigned = async (
  { period, folder, manifest }: PublishedPeriod,
  lines: readonly LockLine[],
): Promise<boolean> => {
  const own = lines.filter(
    (line) =>
      line.what === 'signed' &&
      line.entity === manifest.content.entity &&
      versionLabel(line) === period.label,
  );
  if (own.length === 0) return false;
  const digest = await sha256OfFile(join(folder, MANIFEST_PATH));
  return own.some((line) => line.manifest === digest);
};

const isLockedInPart = (period: FilingPeriod, { periods, versions }: Around['locks']): boolean => {
  const inCommon = periods.filter((lock) => lock.first <= period.last && period.first <= lock.last);
  if (inCommon.length === 0 || versions.some(({ name }) => name === period.label)) return false;
  return !monthsOf(period).every((month) =>
    inCommon.some((lock) => period.first <= lock.first && lock.last <= period.last && isIn(lock, month)),
  );
};

const isIn = (lock: FilingPeriod, month: FilingPeriod): boolean =>
  lock.first <= month.first && month.last <= lock.last;
