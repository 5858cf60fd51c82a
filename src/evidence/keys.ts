import { hash } from 'node:crypto';
import { postingOf, type Sale } from '../sales/sale.ts';
import { nameOfKey, saleKey, serviceId } from '../sales/sale-name.ts';
import type { Entry } from './entry.ts';

/** The keys of a period's entries, listed in its manifest: what a later close needs of them without reading the log. */
export const KEYS_PATH = 'evidence/keys.bin';

/** Bytes of a key: half of the digest of the sale's key (8), what it states (8), its number (4), flags (1), nothing (3). */
export const RECORD = 24;
export const STATED_AT = 8;
export const NUMBER_AT = 16;
export const FLAGS_AT = 20;

export const POSTED = 1;
export const REVERSAL = 2;
export const GIVES = 4;
export const NAMESAKE = 8;

/** Collects the keys of a period, in any order, and writes them sorted. They lie in one buffer: an object for each costs ten times its bytes. */
export const keyCollector = () => {
  let held = Buffer.alloc(0);
  let used = 0;
  const take = (): number => {
    if (used === held.length) held = Buffer.concat([held], Math.max(2 * used, FIRST_BYTES));
    used += RECORD;
    return used - RECORD;
  };
  return {
    add: ({ sale, stated = '', version }: Entry): void => {
      // The key of the sale as first filed, and the one that it would have by its number alone.
      const key = version?.of ?? sale.key;
      const numberKey = numberKeyOf({ ...sale, ...nameOfKey(key) });
      let flags = postingOf(sale) === 'posted' ? POSTED : 0;
      if (version?.isReversal) flags += REVERSAL;
      if (version?.gives !== undefined) flags += GIVES;
      const own = take();
      held.write(hashOf(key), own, 'hex');
      held.write(stated, own + STATED_AT, 'hex');
      held.writeUInt32BE(version?.number ?? 0, own + NUMBER_AT);
      held[own + FLAGS_AT] = flags;
      if (numberKey === key) return;
      const name = take();
      held.write(hashOf(numberKey), name, 'hex');
      held.copy(held, name + STATED_AT, own, own + STATED_AT);
      held[name + FLAGS_AT] = NAMESAKE;
    },
    bytes: (): Buffer => sorted(held.subarray(0, used)),
  };
};

const FIRST_BYTES = 4096 * RECORD;

const sorted = (records: Buffer): Buffer => {
  const order = Uint32Array.from({ length: records.length / RECORD }, (_, index) => index * RECORD);
  order.sort(
    (one, other) =>
      records.readUInt32BE(one) - records.readUInt32BE(other) ||
      records.compare(records, other, other + RECORD, one, one + RECORD),
  );
  const all = Buffer.allocUnsafe(records.length);
  order.forEach((from, index) => {
    records.copy(all, index * RECORD, from, from + RECORD);
  });
  return all;
};

/** Half of the digest of a key, in hexadecimal. */
export const hashOf = (key: string): string => hash('sha256', key, 'hex').slice(0, 2 * STATED_AT);

/** What stands behind the number of a sale that is not the first of it: the day of creation, and a count. */
export const NAMED_BY_DAY = /-\d{8}(-\d+)?$/;

/** Returns the key that a sale would have by its number alone. */
export const numberKeyOf = ({ key, channel, kind, id, origin }: Sale): string => {
  const number = serviceId(origin.record);
  return id.replace(NAMED_BY_DAY, '') === number ? saleKey(channel, kind, number) : key;
};
