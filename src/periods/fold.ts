import { readEntries } from '../evidence/read-entries.ts';
import { postingOf } from '../sales/sale.ts';
import type { LockedPeriod } from './folders.ts';
import type { LockedEntry, LockedSale } from './shapes.ts';

/** Yields the entries of a locked period whose sales are wanted, as they were filed. */
export async function* lockedEntries(
  period: LockedPeriod,
  isWanted: (key: string) => boolean = () => true,
): AsyncGenerator<LockedEntry> {
  const { content, folder } = period;
  const files = new Map(content.inputs.map(({ channel, path, sha256 }) => [`${channel}/${path}`, sha256]));
  for await (const entry of readEntries(folder)) {
    const { sale, stated = '', identity = { created: sale.instant } } = entry;
    if (!isWanted(keyOf(entry))) continue;
    const file = files.get(`${sale.channel}/${sale.origin.file}`) ?? '';
    yield {
      ...entry,
      stated,
      identity,
      period,
      file,
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
  const inOrder = [...entries].sort(byNumber);
  const reversals = new Set<number>();
  const byVersion = new Map<number, LockedEntry>();
  let lastReversal: LockedEntry | undefined;
  for (const entry of inOrder) {
    const number = numberOf(entry);
    if (isReversal(entry)) {
      reversals.add(number);
      lastReversal = entry;
      continue;
    }
    // An entry that was not posted gives way to one that was.
    if (isPosted(entry) || !byVersion.has(number)) byVersion.set(number, entry);
  }
  const versions = [...byVersion.values()];
  const standing = versions.filter(
    (version, index) => isPosted(version) && !reversals.has(takenBackBy(versions, index)),
  );
  const known = (versions.at(-1) ?? inOrder.at(-1)) as LockedEntry;
  return {
    key,
    versions,
    standing,
    reversals,
    identity: known.identity,
    isHalf: standing.length === 0 && lastReversal?.version?.gives !== undefined,
  };
};

/** Returns the number of the reversal that takes a version back: that of the version after it, or the next one to come. */
export const takenBackBy = (versions: readonly LockedEntry[], index: number): number =>
  numberOf(versions[index + 1]) || numberOf(versions[index]) + 1;

export const numberOf = (entry: LockedEntry | undefined): number => entry?.version?.number ?? 0;

export const isPosted = ({ sale }: Pick<LockedEntry, 'sale'>): boolean => postingOf(sale) === 'posted';

const isReversal = ({ version }: LockedEntry): boolean => version?.isReversal === true;

const byNumber = (one: LockedEntry, other: LockedEntry): number => numberOf(one) - numberOf(other);
