import { versionBefore } from '../kernel/period.ts';
import { noteOutdated, removeNote } from '../run/period-folder.ts';
import type { PublishedPeriod, PublishedPeriods } from './folders.ts';
import { isComplete, type Run } from './runs.ts';

/** A closed period that is to be closed again, because one that it builds on was closed again since. */
export type OutdatedPeriod = { readonly label: string; readonly before: string };

/** Returns the period whose books were written again since a period was built on them; `undefined` if none was. */
export const rewrittenBefore = async (
  published: PublishedPeriods,
  { period, manifest, isLocked }: PublishedPeriod,
): Promise<string | undefined> => {
  if (isLocked) return undefined;
  const before = versionBefore(period);
  const now = before && (await published.last(before.label));
  const { previous } = manifest.content;
  if (previous?.contentDigest === now?.manifest.contentDigest) return undefined;
  return now?.period.label ?? previous?.period;
};

/**
 * Returns the closed periods that build on books that were written again. Writes a note beside the folder of each, and
 * removes it where that is over.
 *
 * @param runs the runs of the entity, oldest first: a folder whose last run did not come to its end keeps its note
 */
export const outdatedPeriods = async (
  published: PublishedPeriods,
  runs: readonly Run[],
): Promise<readonly OutdatedPeriod[]> => {
  const outdated: OutdatedPeriod[] = [];
  const isFinished = (label: string): boolean => {
    const last = runs.findLast((run) => run.period === label);
    return last === undefined || isComplete(last);
  };
  for (const { label } of published.versions) {
    const found = await published.of(label);
    if (!found) continue;
    const before = await rewrittenBefore(published, found);
    if (before !== undefined) {
      await noteOutdated(found.folder, label, before);
      outdated.push({ label, before });
    } else if (isFinished(label)) await removeNote(found.folder);
  }
  return outdated;
};
