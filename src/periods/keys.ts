import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  FLAGS_AT,
  GIVES,
  hashOf,
  KEYS_PATH,
  NAMED_BY_DAY,
  NAMESAKE,
  NUMBER_AT,
  numberKeyOf,
  POSTED,
  RECORD,
  REVERSAL,
  STATED_AT,
} from '../evidence/keys.ts';
import type { LockedIndex, LockedRecord } from '../read/shapes.ts';
import { nameOfKey } from '../sales/sale-name.ts';
import { lockedSales, versionsOf } from './fold.ts';
import type { LockedPeriod, Locks } from './folders.ts';

export type LockedKeys = ReturnType<typeof mergedKeys>;

/** Reads and merges the keys of the locked periods that hold entries. */
export const readKeys = async (periods: readonly LockedPeriod[]): Promise<LockedKeys> => {
  const files: Buffer[] = [];
  for (const { folder } of periods) files.push(await readFile(join(folder, KEYS_PATH)));
  return mergedKeys(files);
};

/** Merges files of keys. Each lookup compares the key in full; two sales of one key differ in a bit of 64 by chance alone. */
export const mergedKeys = (files: readonly Buffer[]) => {
  const bytes = Buffer.concat(files);
  const count = bytes.length / RECORD;
  const slots = 2 ** Math.ceil(Math.log2(Math.max(2, 2 * count)));
  const heads = new Int32Array(slots).fill(-1);
  const next = new Int32Array(count);
  const slotAt = (buffer: Buffer, at: number): number => buffer.readUInt32LE(at) % slots;
  for (let index = count - 1; index >= 0; index -= 1) {
    const slot = slotAt(bytes, index * RECORD);
    next[index] = heads[slot] ?? -1;
    heads[slot] = index;
  }
  const recordsOf = (name: string): readonly Buffer[] => {
    const found: Buffer[] = [];
    const key = Buffer.from(name, 'hex');
    for (let index = heads[slotAt(key, 0)] ?? -1; index >= 0; index = next[index] ?? -1) {
      const at = index * RECORD;
      if (key.compare(bytes, at, at + STATED_AT) === 0) found.push(bytes.subarray(at, at + RECORD));
    }
    return found;
  };
  const unsettled = new Set<string>();
  for (let index = 0; index < count; index += 1) {
    const at = index * RECORD;
    // One entry in one version is the rule; only a reversal can leave a half, or follow a second version.
    if (((bytes[at + FLAGS_AT] ?? 0) & REVERSAL) === 0 && bytes.readUInt32BE(at + NUMBER_AT) === 0) continue;
    const name = bytes.toString('hex', at, at + STATED_AT);
    const sale = saleOf(recordsOf(name));
    if (sale && (sale.isHalf || sale.standing > 1)) unsettled.add(name);
  }
  return {
    has: (key: string) => (count === 0 ? undefined : saleOf(recordsOf(hashOf(key)))),
    /** Whether other sales have the number of this key. */
    hasNamesakes: (key: string) => recordsOf(hashOf(key)).some((record) => isFlagged(record, NAMESAKE)),
    /** Sales of which several versions stand or half of a correction is missing: hashes of their keys, to find their entries. */
    unsettled: unsettled as ReadonlySet<string>,
    /** The hash under which `unsettled` has a key. */
    nameOf: hashOf,
  };
};

const isFlagged = (record: Buffer, flag: number): boolean => ((record[FLAGS_AT] ?? 0) & flag) !== 0;

/** The fold of `fold.ts` over keys alone: what the keys of all locked periods say of a sale. */
const saleOf = (records: readonly Buffer[]) => {
  const own = records.filter((record) => !isFlagged(record, NAMESAKE));
  if (own.length === 0) return undefined;
  const { versions, standing, lastReversal } = versionsOf(own, (record) => ({
    number: record.readUInt32BE(NUMBER_AT),
    isReversal: isFlagged(record, REVERSAL),
    isPosted: isFlagged(record, POSTED),
  }));
  const record = standing.at(-1) ?? versions.at(-1);
  return (
    record && {
      /** What the last version states that stands; without one, the last version. */
      stated: record.toString('hex', STATED_AT, NUMBER_AT),
      version: record.readUInt32BE(NUMBER_AT),
      /** How many posted versions stand. */
      standing: standing.length,
      /** Whether a version was posted, taken back or not. */
      wasPosted: versions.some((version) => isFlagged(version, POSTED)),
      /** Whether the last reversal gave way to a statement, and nothing stands. */
      isHalf: standing.length === 0 && lastReversal !== undefined && isFlagged(lastReversal, GIVES),
    }
  );
};

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
      return own && { stated: own.stated, isShared };
    },
    named: (wanted) => namedIn(locks, wanted),
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
