import { NAMED_BY_DAY, numberKeyOf } from '../close/evidence/keys.ts';
import { nameOfKey } from '../close/sales/sale-name.ts';
import type { LockedIndex, LockedRecord } from '../read/shapes.ts';
import { lockedSales } from './fold.ts';
import type { LockedPeriod, Locks } from './folders.ts';
import { readKeys } from './keys.ts';

/** Reads what the locked periods of an entity know for reading and settling. */
export const lockedIndex = async (locks: Locks): Promise<LockedIndex> => {
  const keys = await readKeys(locks.periods);
  const readings = locks.periods.map((period) => ({ period, settled: settledIn(period) }));
  const settled: LockedIndex['settled'] = (sha256, reader) => {
    const name = `${sha256} ${reader}`;
    const found = readings.flatMap((one) => one.settled.get(name) ?? [])[0];
    if (!found || locks.openFrom(found.first) <= found.last) return undefined;
    const held = readings.filter(({ period }) => period.first <= found.last && found.first <= period.last);
    return held.every((one) => one.settled.has(name)) ? found : undefined;
  };
  return {
    has: (key) => {
      const isShared = keys.hasNamesakes(key);
      const own = keys.has(key);
      return own && { stated: own.stated, version: own.version, isShared };
    },
    named: (wanted) => namedIn(locks, wanted),
    holds: (day) => locks.holding(day)?.label,
    settled,
  };
};

/** The readings of which all was settled, by the digests of the file and of its reader. */
const settledIn = ({ content: { readings = [] } }: LockedPeriod) =>
  new Map(readings.filter((one) => one.isSettled).map((one) => [`${one.sha256} ${one.reader}`, one]));

/** Reads the records with these keys, and those of their numbers, in one pass over each log. */
const namedIn = async ({ periods }: Locks, wanted: ReadonlySet<string>): ReturnType<LockedIndex['named']> => {
  const named = new Map<string, LockedRecord[]>();
  if (wanted.size === 0) return named;
  const isWanted = (key: string): boolean => wanted.has(key) || wanted.has(key.replace(NAMED_BY_DAY, ''));
  for (const { key, standing, versions, identity } of (await lockedSales(periods, isWanted)).values()) {
    const { sale } = standing.at(-1) ?? versions.at(-1) ?? {};
    if (!sale) continue;
    for (const name of new Set([key, numberKeyOf({ ...sale, ...nameOfKey(key) })]))
      if (wanted.has(name)) named.set(name, [...(named.get(name) ?? []), { key, sale, identity }]);
  }
  return named;
};
