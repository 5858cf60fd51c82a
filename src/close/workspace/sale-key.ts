import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Sale } from '../sales/sale.ts';

/** Returns how the keys of a channel begin, or those of one kind of its sales. */
export const beginning = (channel: string, kind?: Sale['kind']): string =>
  `${channel}/${kind ? `${kind}/` : ''}`;

/**
 * The condition that a sale belongs to a channel, and optionally to a kind. It is a range of keys, so the index
 * applies.
 */
export const isOf = (channel: string, kind?: Sale['kind']): RawBuilder<SqlBool> =>
  sql<SqlBool>`(sale.key > ${beginning(channel, kind)} and ${isBelowEndOf(channel, kind)})`;

/**
 * The upper half of that condition, for `pagesBy`: the lower half is a condition of its first page only, which begins
 * at `beginning`.
 */
export const isBelowEndOf = (channel: string, kind?: Sale['kind']): RawBuilder<SqlBool> =>
  sql<SqlBool>`sale.key < ${endOf(beginning(channel, kind))}`;

/** Returns the text after all keys with a beginning: the character after the slash in byte order is a 0. */
const endOf = (beginning: string): string => `${beginning.slice(0, -1)}0`;

/** Compares keys by their UTF-8 bytes, as the databases do. */
export const compareKeys = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const [one, other] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (one !== other) return inOrderOfBytes(one) - inOrderOfBytes(other);
  }
  return left.length - right.length;
};

/** Characters of two code units sort after all others. */
const inOrderOfBytes = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x1_0000 : unit);
