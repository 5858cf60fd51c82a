import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Sale } from '../sales/sale.ts';

/** What names the record of a sale. */
export type SaleName = Pick<Sale, 'key' | 'channel' | 'kind' | 'id'>;

/** What the key of a sale says. */
export const nameOfKey = (key: string): SaleName => {
  const [channel = '', kind, ...id] = key.split('/');
  return { key, channel, kind: kind as Sale['kind'], id: id.join('/') };
};

/** How the keys of a channel begin, or those of one kind of its sales. */
const beginning = (channel: string, kind?: Sale['kind']): string => `${channel}/${kind ? `${kind}/` : ''}`;

/** The condition that a sale is of a channel, and of a kind: its key lies between two others, which its index answers. */
export const isOf = (channel: string, kind?: Sale['kind']): RawBuilder<SqlBool> => {
  const from = beginning(channel, kind);
  // The character behind the slash is a 0.
  const to = `${from.slice(0, -1)}0`;
  return sql<SqlBool>`(sale.key > ${from} and sale.key < ${to})`;
};

/** The id of a sale of such a channel and kind, taken from its key by the database. */
export const idOf = (channel: string, kind: Sale['kind']): RawBuilder<string> =>
  sql<string>`substr(sale.key, ${beginning(channel, kind).length + 1})`;

/** The order of keys by their bytes, which is that of the databases. */
export const compareKeys = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const [one, other] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (one !== other) return inOrderOfBytes(one) - inOrderOfBytes(other);
  }
  return left.length - right.length;
};

/** Characters of two code units stand behind all others. */
const inOrderOfBytes = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x1_0000 : unit);
