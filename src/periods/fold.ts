import { derivationIn } from '../close/evidence/manifest.ts';
import { readEntries } from '../close/evidence/read-entries.ts';
import { postingOf } from '../close/sales/sale.ts';
import type { LockedEntry, LockedPeriod, LockedSale } from './shapes.ts';

/** Yields the entries of a locked period whose sales are wanted, as they were filed. */
export async function* lockedEntries(
  period: LockedPeriod,
  isWanted: (key: string) => boolean = () => true,
): AsyncGenerator<LockedEntry> {
  const { content, folder } = period;
  const files = new Map(content.inputs.map(({ channel, path, sha256 }) => [`${channel}/${path}`, sha256]));
  for await (const entry of readEntries(folder, derivationIn(content))) {
    const { sale, stated = '', identity = { created: sale.instant } } = entry;
    if (!isWanted(keyOf(entry))) continue;
    const file = files.get(`${sale.channel}/${sale.origin.file}`) ?? '';
    yield { ...entry, stated, identity, period, file };
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
  const reversals = entries.filter(isReversal).sort(byNumber);
  const versions = new Map<number, LockedEntry>();
  // An entry that was not posted gives way to one that was.
  for (const entry of entries)
    if (!isReversal(entry) && (isPosted(entry) || !versions.has(numberOf(entry))))
      versions.set(numberOf(entry), entry);
  const inOrder = [...versions.values()].sort(byNumber);
  const numbers = new Set(reversals.map(numberOf));
  const standing = inOrder.filter(
    (version, index) => isPosted(version) && !numbers.has(takenBackBy(inOrder, index)),
  );
  const known = (inOrder.at(-1) ?? entries[0]) as LockedEntry;
  const isHalf = standing.length === 0 && reversals.at(-1)?.version?.gives !== undefined;
  return { key, versions: inOrder, standing, reversals: numbers, identity: known.identity, isHalf };
};

/** Returns the number of the reversal that takes a version back: that of the version after it, or the next one to come. */
export const takenBackBy = (versions: readonly LockedEntry[], index: number): number =>
  numberOf(versions[index + 1]) || numberOf(versions[index]) + 1;

export const numberOf = (entry: LockedEntry | undefined): number => entry?.version?.number ?? 0;

export const isPosted = ({ sale }: Pick<LockedEntry, 'sale'>): boolean => postingOf(sale) === 'posted';

const isReversal = ({ version }: LockedEntry): boolean => version?.isReversal === true;

const byNumber = (one: LockedEntry, other: LockedEntry): number => numberOf(one) - numberOf(other);
