import { appendFileSync, closeSync, mkdirSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compareKeys } from '../kernel/text.ts';

/** An item has a key of its own; the last one of a key on a day counts. */
type Keyed = { readonly key: string };

/** How items are written in a line of their own, without their key. */
type ItemForm<Item> = {
  readonly textOf: (item: Item) => string;
  readonly itemOf: (text: string, key: string) => Item;
};

const AS_JSON = { textOf: JSON.stringify, itemOf: (text: string) => JSON.parse(text) };

/** Bytes of a file that are read at once. */
const CHUNK_BYTES = 4 * 1024 * 1024;
const LINE_FEED = 0x0a;

/**
 * Keeps items by day: in memory, and beyond `itemsMax` of them in one file a day below a folder. Files only grow: what
 * replaces an item, or takes it out, stands behind it.
 *
 * @param folder is created when it is needed; what an earlier run left there is removed
 */
export const partitions = <Item extends Keyed>(
  folder: string,
  itemsMax: number,
  { textOf, itemOf }: ItemForm<Item> = AS_JSON,
) => {
  /** What is in memory, by day and key; `null` takes an item of the file out. */
  const days = new Map<string, Map<string, Item | null>>();
  const spilled = new Set<string>();
  let count = 0;
  rmSync(folder, { recursive: true, force: true });

  const pathOf = (day: string): string => join(folder, `${day || 'undated'}.ndjson`);
  const inMemory = (day: string): Map<string, Item | null> => {
    const own = days.get(day) ?? new Map<string, Item | null>();
    days.set(day, own);
    return own;
  };
  const spill = (): void => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const [day, items] of days) {
      if (items.size === 0) continue;
      let text = '';
      for (const [key, item] of items) text += `${JSON.stringify(key)}\t${item ? textOf(item) : ''}\n`;
      appendFileSync(pathOf(day), text, { mode: 0o600 });
      spilled.add(day);
      items.clear();
    }
    count = 0;
  };
  const put = (day: string, key: string, item: Item | null): void => {
    inMemory(day).set(key, item);
    count += 1;
    if (count > itemsMax) spill();
  };
  /** Returns the items of a day with these keys. */
  const find = (day: string, isWanted: (key: string) => boolean): Item[] => {
    const texts = new Map<string, string>();
    if (spilled.has(day))
      for (const line of linesOf(pathOf(day))) {
        const end = line.indexOf('\t');
        const key = nameAt(line, end);
        if (!isWanted(key)) continue;
        if (end + 1 === line.length) texts.delete(key);
        else texts.set(key, line.slice(end + 1));
      }
    const items: Item[] = [];
    for (const [key, item] of days.get(day) ?? []) {
      if (!isWanted(key)) continue;
      texts.delete(key);
      if (item) items.push(item);
    }
    for (const [key, text] of texts) items.push(itemOf(text, key));
    return items;
  };
  const read = (day: string): readonly Item[] =>
    find(day, () => true).sort((one, other) => compareKeys(one.key, other.key));
  return {
    add: (day: string, item: Item): void => put(day, item.key, item),
    drop: (day: string, key: string): void => {
      if (spilled.has(day)) put(day, key, null);
      else days.get(day)?.delete(key);
    },
    /** Days that have, or had, an item, in order; an item without a day is of day ''. */
    days: (): readonly string[] => [...days.keys()].sort(),
    find,
    /** Returns the items of a day in the order of their keys. */
    read,
    /** Returns the same, and forgets them. */
    take: (day: string): readonly Item[] => {
      const items = read(day);
      count -= days.get(day)?.size ?? 0;
      days.delete(day);
      if (spilled.delete(day)) rmSync(pathOf(day));
      return items;
    },
    /** Removes all files. */
    end: (): void => rmSync(folder, { recursive: true, force: true }),
  };
};

export type DayStore<Item extends Keyed> = ReturnType<typeof partitions<Item>>;

/** Returns the key before a tab, which is a JSON text. */
const nameAt = (line: string, end: number): string => {
  const plain = line.slice(1, end - 1);
  return plain.includes('\\') ? (JSON.parse(line.slice(0, end)) as string) : plain;
};

/** Yields the lines of a file, without holding all of it: a day may be longer than the longest text. */
function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    let buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let used = 0;
    for (;;) {
      if (used === buffer.length) {
        const more = Buffer.allocUnsafe(buffer.length);
        buffer = Buffer.concat([buffer, more]);
      }
      const bytes = readSync(file, buffer, used, buffer.length - used, null);
      if (bytes === 0) return;
      used += bytes;
      const end = buffer.lastIndexOf(LINE_FEED, used - 1) + 1;
      if (end === 0) continue;
      const text = buffer.toString('utf8', 0, end - 1);
      yield* text.split('\n');
      buffer.copyWithin(0, end, used);
      used -= end;
    }
  } finally {
    closeSync(file);
  }
}
