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

/** The condition that a sale of a channel and kind has a number that begins with a zero. */
export const isZeroLed = (channel: string, kind: Sale['kind']): RawBuilder<SqlBool> => {
  const start = beginning(channel, kind);
  return sql<SqlBool>`(sale.key >= ${`${start}0`} and sale.key < ${`${start}1`})`;
};

/**
 * The upper half of that condition, for `pagesBy`: the lower half is a condition of its first page only, which begins
 * at `beginning`.
 */
export const isBelowEndOf = (channel: string, kind?: Sale['kind']): RawBuilder<SqlBool> =>
  sql<SqlBool>`sale.key < ${endOf(beginning(channel, kind))}`;

/** Returns the text after all keys with a beginning: the character after the slash in byte order is a 0. */
const endOf = (beginning: string): string => `${beginning.slice(0, -1)}0`;

/** The ranges of keys that belong to none of these channels. A range uses the index, and `not` would read all of it. */
export const betweenChannels = (channels: readonly string[]): readonly RawBuilder<SqlBool>[] => {
  const begins = channels.map((name) => beginning(name)).sort(compareKeys);
  const ends = begins.map(endOf);
  return [...begins, undefined].map((to, index) => {
    const from = index === 0 ? '' : ends[index - 1];
    return to === undefined
      ? sql<SqlBool>`sale.key >= ${from}`
      : sql<SqlBool>`(sale.key >= ${from} and sale.key <= ${to})`;
  });
};

/** SQL for the id of a sale of this channel and kind, taken from its key. */
export const idOf = (channel: string, kind: Sale['kind']): RawBuilder<string> =>
  sql<string>`substr(sale.key, ${beginning(channel, kind).length + 1})`;

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
