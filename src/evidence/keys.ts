import { hash } from 'node:crypto';
import { lineStore } from '../runtime/partitions.ts';
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

/** Collects the keys of a period, in any order. They lie by their first byte, so that a part of them is sorted at a time. */
export const keyCollector = (folder: string) => {
  const store = lineStore(folder);
  const put = (key: string, stated: string, number: number, flags: number): void => {
    const name = hashOf(key);
    const rest = `${stated.padStart(16, '0')}${number.toString(16).padStart(8, '0')}`;
    store.put(name.slice(0, 2), `${name}${rest}${flags.toString(16).padStart(2, '0')}000000`);
  };
  return {
    add: ({ sale, stated = '', version }: Entry): void => {
      // The key of the sale as first filed, and the one that it would have by its number alone.
      const key = version?.of ?? sale.key;
      const numberKey = numberKeyOf({ ...sale, ...nameOfKey(key) });
      const ofVersion = (version?.isReversal ? REVERSAL : 0) + (version?.gives === undefined ? 0 : GIVES);
      put(key, stated, version?.number ?? 0, (postingOf(sale) === 'posted' ? POSTED : 0) + ofVersion);
      if (numberKey !== key) put(numberKey, stated, 0, NAMESAKE);
    },
    /** Yields the bytes of the keys in order, some at a time. */
    *sorted(): Generator<Buffer> {
      for (const name of store.names())
        yield Buffer.from(Array.from(store.lines(name), String).sort().join(''), 'hex');
    },
  };
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
