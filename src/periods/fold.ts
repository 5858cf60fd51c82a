import type { Entry } from '../evidence/entry.ts';
import { readEntries } from '../evidence/read-entries.ts';
import { fileDigests } from '../judge/input-findings.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import type { Statement } from '../read/shapes.ts';
import { type Identity, postingOf, type Sale, type SetAside } from '../sales/sale.ts';
import type { LateVersion } from '../sales/sale-name.ts';
import type { LockedPeriod } from './folders.ts';

/** Yields the entries of a locked period whose sales are wanted, as they were filed. */
export async function* lockedEntries(
  period: LockedPeriod,
  isWanted: (key: string) => boolean = () => true,
): AsyncGenerator<LockedEntry> {
  const { content, folder } = period;
  const fileOfRecord = fileDigests(content.inputs);
  for await (const entry of readEntries(folder)) {
    const { sale, stated = '', identity = { created: sale.instant } } = entry;
    if (!isWanted(keyOf(entry))) continue;
    yield {
      ...entry,
      stated,
      identity,
      period,
      file: fileOfRecord(sale),
    };
  }
}

/** Returns the key of the sale that an entry is a version of. */
export const keyOf = ({ sale, version }: Pick<LockedEntry, 'sale' | 'version'>): string =>
  version?.of ?? sale.key;

/** Reads what the locked periods say of some sales, in one pass over each log. */
export const lockedSales = async (
  periods: readonly LockedPeriod[],
  isWanted?: (key: string) => boolean,
): Promise<ReadonlyMap<string, LockedSale>> => {
  const entries: LockedEntry[] = [];
  for (const period of periods)
    for await (const entry of lockedEntries(period, isWanted)) entries.push(entry);
  return foldLocked(entries);
};

/**
 * Folds the entries of locked periods: each sale has versions 0, 1, 2 …, and reversal n takes back the version before n.
 * What no reversal takes back stands: usually one version, none after a withdrawal.
 */
export const foldLocked = (entries: readonly LockedEntry[]): ReadonlyMap<string, LockedSale> =>
  new Map([...Map.groupBy(entries, keyOf)].map(([key, own]) => [key, foldOne(key, own)]));

const foldOne = (key: string, entries: readonly LockedEntry[]): LockedSale => {
  const { versions, standing, reversals, lastReversal } = versionsOf(entries, (entry) => ({
    number: numberOf(entry),
    isReversal: entry.version?.isReversal === true,
    isPosted: isPosted(entry),
  }));
  const { identity } = (versions.at(-1) ?? lastReversal) as LockedEntry;
  const isHalf = standing.length === 0 && lastReversal?.version?.gives !== undefined;
  return {
    key,
    versions,
    standing,
    reversals,
    identity,
    isHalf,
  };
};

/** What tells the place of an entry among those of its sale. */
type Told = {
  readonly number: number;
  readonly isReversal: boolean;
  readonly isPosted: boolean;
};

/** The versions of one sale in the order of their numbers, those that stand, and what took back the others. */
export const versionsOf = <One>(entries: readonly One[], tell: (entry: One) => Told) => {
  const inOrder = entries
    .map((entry) => ({ entry, ...tell(entry) }))
    .sort((one, other) => one.number - other.number);
  const reversed = inOrder.filter(({ isReversal }) => isReversal);
  const byVersion = new Map<number, (typeof inOrder)[number]>();
  // An entry that was not posted gives way to one that was.
  for (const one of inOrder)
    if (!one.isReversal && (one.isPosted || !byVersion.has(one.number))) byVersion.set(one.number, one);
  const reversals: ReadonlySet<number> = new Set(reversed.map(({ number }) => number));
  const versions = [...byVersion.values()];
  const standing = versions.filter(
    (one, index) => one.isPosted && !reversals.has(versions[index + 1]?.number ?? one.number + 1),
  );
  return {
    versions: versions.map(({ entry }) => entry),
    standing: standing.map(({ entry }) => entry),
    reversals,
    lastReversal: reversed.at(-1)?.entry,
  };
};

/** Returns the number of the reversal that takes a version back: that of the version after it, or the next one to come. */
export const takenBackBy = (versions: readonly LockedEntry[], index: number): number =>
  numberOf(versions[index + 1]) || numberOf(versions[index]) + 1;

export const numberOf = (entry: LockedEntry | undefined): number => entry?.version?.number ?? 0;

export const isPosted = ({ sale }: Pick<LockedEntry, 'sale'>): boolean => postingOf(sale) === 'posted';

/** What an entry line has beside the sale and its figures. */
export type EntryMarks = {
  /** Digest of the statement as read, 16 hex digits: before decisions, certificates and links to orders. */
  readonly stated: string;
  readonly identity: Identity;
  /** Absent for the first version, under the key of the sale itself. */
  readonly version?: LateVersion;
};

/** A sale as a locked folder has it. */
export type LockedEntry = Omit<Entry, 'stated' | 'identity' | 'version'> &
  EntryMarks & {
    readonly period: LockedPeriod;
    /** SHA-256 of the file that stated it; empty if its folder names none. */
    readonly file: string;
  };

/** All that the locked periods say of one sale. */
export type LockedSale = {
  readonly key: string;
  /** Its versions in the order of their numbers. */
  readonly versions: readonly LockedEntry[];
  /** The posted versions that no reversal takes back. */
  readonly standing: readonly LockedEntry[];
  readonly reversals: ReadonlySet<number>;
  readonly identity: Identity;
  /** Whether nothing stands although the last reversal gave way to a statement: the other half was never locked. */
  readonly isHalf: boolean;
};

/** What the exports state of a sale today. A sale that they do not name has no statement: absence says nothing. */
export type TodaysStatement = {
  readonly key: string;
  /** SHA-256 of the file. */
  readonly file: string;
  /** The sale, or the record that was set aside in its place; neither if only a reversal is owed. */
  readonly statement?: Statement;
  readonly aside?: SetAside;
};

/** How a late item is settled; `ask` until somebody decides. */
export type LateChoice = 'ask' | 'next' | 'amend' | 'leave';

/** Where an entry of a correction counts: in the open period that has the day, or in the next amended version. */
export type Place = { readonly day: CalendarDate } | { readonly amends: string };

/** A reversal or a re-entry that a correction adds. */
export type CorrectionEntry = {
  readonly sale: Sale;
  readonly marks: EntryMarks;
  /** The locked entry that a reversal takes back, with the figures that it negates. */
  readonly reverses?: LockedEntry;
  readonly place: Place;
};

/** The difference between the locked entries in effect and today's statement of one sale. Computed, never stored. */
export type Correction = {
  readonly key: string;
  /** Digest of what the exports state, to which a decision is bound. */
  readonly stated: string;
  /** The locked period that is asked about. */
  readonly period: string;
  readonly choice: LateChoice;
  /** Whether only the reading of its file has changed: a person decides, never the policy. */
  readonly isReread: boolean;
  /** For `ask`, what `next` would add. */
  readonly entries: readonly CorrectionEntry[];
  readonly today: TodaysStatement;
};
