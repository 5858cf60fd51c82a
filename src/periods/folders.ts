import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type LoggedFrame, readFrame } from '../evidence/frame.ts';
import type { LockLine } from '../evidence/lock-line.ts';
import { type Leaves, MANIFEST_PATH, type ManifestContent } from '../evidence/manifest.ts';
import { readManifest } from '../evidence/verify-files.ts';
import type { ClosedReport } from '../figures/period-report.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { amendedPeriod, amendmentNumber, type FilingPeriod, parseVersion } from '../kernel/period.ts';
import { compareText } from '../kernel/text.ts';
import { exists, sha256OfFile } from '../runtime/publish-folder.ts';

/** A published folder of a period. */
export type PublishedPeriod = NonNullable<Awaited<ReturnType<typeof readFolder>>>;

/** Where the locks of an entity are. */
export type LockPlace = {
  /** The folder of `tieout.yaml`. */
  readonly root: string;
  readonly entity: string;
  /** The folder that has the entity's folders of periods. */
  readonly output: string;
};

/** A locked period in its version in effect. Its label is that of the period, without the version. */
export type LockedPeriod = FilingPeriod & {
  readonly version: number;
  /** The label of the version: `2026-10-amended-1`, or that of the period. */
  readonly name: string;
  /** The absolute path of its folder. */
  readonly folder: string;
  readonly content: ManifestContent;
  /** Whether it is over locked periods within it: it holds returns, and its entries are theirs. */
  readonly isOfReturns: boolean;
};

/** The locks of an entity, as the register and the folders say. */
export type Locks = {
  /** Every line of the register, of other entities as well. */
  readonly lines: readonly LockLine[];
  /** Every locked version of a period, in the order of their locks. */
  readonly versions: readonly LockedPeriod[];
  /** The locked periods that hold entries, in the order of their days; no two have a day in common. */
  readonly periods: readonly LockedPeriod[];
  /** The locked periods over others. */
  readonly ofReturns: readonly LockedPeriod[];
  /** The locked period that has the day. */
  readonly holding: (day: CalendarDate) => LockedPeriod | undefined;
  /** The day itself if it is open, else the first open day behind the lock that has it. */
  readonly openFrom: (day: CalendarDate) => CalendarDate;
};

/** The published periods of an entity. */
export type PublishedPeriods = {
  /** All versions of all periods, oldest first. */
  readonly versions: readonly FilingPeriod[];
  readonly of: (label: string) => Promise<PublishedPeriod | undefined>;
  /** Returns the version of a period that counts: the last one that is locked, or the period itself. */
  readonly last: (label: string) => Promise<PublishedPeriod | undefined>;
};

/**
 * Finds the published periods below the folder of an entity. A folder without a manifest of this form is none.
 *
 * @param locked the labels of the versions that are locked
 */
export const publishedPeriods = async (
  place: string,
  locked: ReadonlySet<string>,
): Promise<PublishedPeriods> => {
  const names = (await exists(place)) ? await readdir(place) : [];
  const versions = names
    .flatMap((name) => parseVersion(name) ?? [])
    .sort((one, other) => compareText(one.first, other.first) || compareText(one.label, other.label));
  const read = new Map<string, Promise<PublishedPeriod | undefined>>();
  const of = async (label: string): Promise<PublishedPeriod | undefined> => {
    const period = versions.find((version) => version.label === label);
    const known = read.get(label) ?? (period ? readFolder(join(place, label), period, locked) : undefined);
    if (known) read.set(label, known);
    return known;
  };
  return {
    versions,
    of,
    last: async (label) => {
      const amended = versions
        .filter((version) => version.label !== label && amendedPeriod(version.label) === label)
        .sort((one, other) => amendmentNumber(other.label) - amendmentNumber(one.label));
      for (const version of amended) {
        const found = await of(version.label);
        if (found?.isLocked) return found;
      }
      return of(label);
    },
  };
};

/** Returns the first of these periods that was closed, in the version that counts. */
export const firstOf = async (published: PublishedPeriods, labels: readonly string[]) => {
  for (const label of labels) {
    const found = await published.last(label);
    if (found) return found;
  }
  return undefined;
};

/** Returns every closed period in the version that counts, oldest first. */
export const countingPeriods = async (published: PublishedPeriods): Promise<readonly PublishedPeriod[]> => {
  const found: PublishedPeriod[] = [];
  for (const { label } of published.versions) {
    const last = amendmentNumber(label) === 0 ? await published.last(label) : undefined;
    if (last) found.push(last);
  }
  return found;
};

/** Returns what is known of a published period without its sales. */
export const closedReportOf = async ({ manifest, leaves, frame }: PublishedPeriod): Promise<ClosedReport> => {
  const { contentDigest } = manifest;
  return { ...(await frame()), ...leaves, signOff: { contentDigest } };
};

const readFolder = async (folder: string, period: FilingPeriod, locked: ReadonlySet<string>) => {
  const manifest = await readManifest(folder);
  if (typeof manifest === 'string' || manifest.content.leaves === undefined) return undefined;
  const leaves = manifest.content.leaves as Leaves;
  const isLocked = locked.has(period.label);
  /** Reads what its books were drawn from. */
  const frame = (): Promise<LoggedFrame> => readFrame(folder);
  /** SHA-256 of the file of the manifest, which signatures name. */
  const manifestDigest = () => sha256OfFile(join(folder, MANIFEST_PATH));
  return {
    period,
    folder,
    manifest,
    manifestDigest,
    isLocked,
    leaves,
    frame,
  };
};
