import { appendFileSync, closeSync, mkdirSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compareKeys } from '../kernel/text.ts';

/** An item has a key of its own; the last one of a key on a day counts. */
type Keyed = { readonly key: string };

/** Bytes of a file that are read at once. */
const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;
const TAB = 0x09;
/** Bytes that one unit of text takes in UTF-8 at most. */
const UNIT_BYTES_MAX = 3;

/** A day of more bytes is divided by its keys before it is read, so that memory does not grow with it. */
const PART_BYTES = 24 * 1024 * 1024;
/** One key of so many is looked at to divide a day. */
const SAMPLED = 16;

/** The last lines of a name, outside of the heap: what waits for the end of a run costs no garbage collection. */
type Held = {
  bytes: Buffer;
  used: number;
  /** Bytes of its file. */
  spilled: number;
};

/** Bytes in memory; more go to files. */
const HELD_MAX = 2 * 1024 * 1024;

/** Keeps lines by name: in memory, and beyond `bytesMax` of them in one file a name below a folder, which begins empty. */
export const lineStore = (folder: string, bytesMax = HELD_MAX) => {
  const names = new Map<string, Held>();
  let bytes = 0;
  rmSync(folder, { recursive: true, force: true });
  const pathOf = (name: string): string => join(folder, `${name || 'undated'}.ndjson`);
  const spill = (): void => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const [name, held] of names) {
      // What was not written to since the last time gives its memory back; the others need as much again.
      if (held.used === 0) held.bytes = Buffer.alloc(0);
      else appendFileSync(pathOf(name), held.bytes.subarray(0, held.used), { mode: 0o600 });
      held.spilled += held.used;
      held.used = 0;
    }
    bytes = 0;
  };
  return {
    names: (): readonly string[] => [...names.keys()].sort(),
    sizeOf: (name: string): number => {
      const { used, spilled } = names.get(name) ?? { used: 0, spilled: 0 };
      return used + spilled;
    },
    /** Adds a line without its end. */
    put: (name: string, line: string | Buffer): void => {
      const held = names.get(name) ?? { bytes: Buffer.alloc(0), used: 0, spilled: 0 };
      names.set(name, held);
      const needed = held.used + line.length * UNIT_BYTES_MAX + 1;
      if (needed > held.bytes.length) {
        const larger = Buffer.allocUnsafe(2 * needed);
        held.bytes.copy(larger, 0, 0, held.used);
        held.bytes = larger;
      }
      const written =
        typeof line === 'string' ? held.bytes.write(line, held.used) : line.copy(held.bytes, held.used);
      held.bytes[held.used + written] = LINE_FEED;
      held.used += written + 1;
      bytes += written + 1;
      if (bytes > bytesMax) spill();
    },
    /** Yields the lines of a name, in the order in which they were written. */
    *lines(name: string): Generator<Buffer> {
      const held = names.get(name);
      if (!held) return;
      if (held.spilled > 0) yield* linesOf(pathOf(name));
      yield* linesIn(held.bytes.subarray(0, held.used));
    },
    forget: (name: string): void => {
      const { used = 0, spilled = 0 } = names.get(name) ?? {};
      bytes -= used;
      names.delete(name);
      if (spilled > 0) rmSync(pathOf(name));
    },
    end: (): void => rmSync(folder, { recursive: true, force: true }),
  };
};

/**
 * Keeps items by day as lines of JSON. Lines only follow one another: what replaces an item, or takes it out, stands behind
 * it.
 *
 * @param folder for what memory does not hold; what an earlier run left there is removed
 * @param bytesMax of lines in memory
 */
export const partitions = <Item extends Keyed>(
  folder: string,
  bytesMax = HELD_MAX,
  partBytes = PART_BYTES,
) => {
  const store = lineStore(folder, bytesMax);
  const itemsIn = (lines: Iterable<Buffer>, isWanted: (key: string) => boolean): Item[] => {
    const found = new Map<string, Item>();
    for (const line of lines) {
      const key = keyOf(line);
      if (!isWanted(key)) continue;
      const value = textOf(line);
      // A line that is kept would keep all that was read from its file with it.
      if (value.length === 0) found.delete(key);
      else found.set(key, parsed(value));
    }
    return [...found.values()];
  };
  /** Yields the lines of a day, those of a large one in parts, each of keys behind those of the part before. */
  function* partsOf(day: string): Generator<Iterable<Buffer>> {
    const count = Math.ceil(store.sizeOf(day) / partBytes);
    if (count < 2) return yield store.lines(day);
    let lines = 0;
    const keys: string[] = [];
    for (const line of store.lines(day)) if (lines++ % SAMPLED === 0) keys.push(keyOf(line));
    keys.sort(compareKeys);
    const bounds = Array.from(
      { length: count },
      (_, index) => keys[Math.floor((index * keys.length) / count)] as string,
    );
    const parts = lineStore(join(folder, `parts-${day}`), bytesMax);
    for (const line of store.lines(day)) {
      const key = keyOf(line);
      const part = bounds.findLastIndex((bound) => compareKeys(bound, key) <= 0);
      parts.put(String(Math.max(0, part)).padStart(9, '0'), line);
    }
    try {
      for (const name of parts.names()) yield parts.lines(name);
    } finally {
      parts.end();
    }
  }
  const read = (day: string): readonly Item[] => itemsIn(store.lines(day), () => true).sort(byKey);
  return {
    add: (day: string, item: Item): void =>
      store.put(day, `${JSON.stringify(item.key)}\t${JSON.stringify(item)}`),
    drop: (day: string, key: string): void => store.put(day, `${JSON.stringify(key)}\t`),
    /** Days that have, or had, an item, in order; an item without a day is of day ''. */
    days: store.names,
    /** Returns the items of a day with these keys. */
    find: (day: string, isWanted: (key: string) => boolean): readonly Item[] =>
      itemsIn(store.lines(day), isWanted),
    /** Returns the items of a day in the order of their keys. */
    read,
    /** Yields the same, some at a time. */
    *parts(day: string): Generator<readonly Item[]> {
      for (const lines of partsOf(day)) yield itemsIn(lines, () => true).sort(byKey);
    },
    /** Yields all items by day and key, some at a time. Only for a store in which none was replaced or taken out. */
    *pages(): Generator<readonly Item[]> {
      for (const day of store.names())
        for (const lines of partsOf(day))
          yield Array.from(lines, (line) => parsed<Item>(textOf(line))).sort(byKey);
    },
    /** Returns the items of a day, and forgets them. */
    take: (day: string): readonly Item[] => {
      const items = read(day);
      store.forget(day);
      return items;
    },
    /** Removes all files. */
    end: store.end,
  };
};

const byKey = (one: Keyed, other: Keyed): number => compareKeys(one.key, other.key);

/** Returns the key before a tab, which is a JSON text. */
const keyOf = (line: Buffer): string => {
  const plain = line.toString('utf8', 1, line.indexOf(TAB) - 1);
  return plain.includes('\\') ? (JSON.parse(`"${plain}"`) as string) : plain;
};

const textOf = (line: Buffer): Buffer => line.subarray(line.indexOf(TAB) + 1);

const parsed = <Item>(value: Buffer): Item => JSON.parse(value.toString()) as Item;

/** Yields the whole lines of some bytes, without their ends. */
function* linesIn(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, start);
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}

/** Yields the lines of a file, without holding all of it: a day may be longer than the longest buffer. */
function* linesOf(path: string): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    let rest = Buffer.alloc(0);
    for (;;) {
      // A new one each time: lines that were given out lie in the one before.
      const chunk = Buffer.allocUnsafeSlow(rest.length + CHUNK_BYTES);
      rest.copy(chunk);
      const bytes = readSync(file, chunk, rest.length, CHUNK_BYTES, null);
      if (bytes === 0) return;
      const used = rest.length + bytes;
      const end = chunk.lastIndexOf(LINE_FEED, used - 1) + 1;
      yield* linesIn(chunk.subarray(0, end));
      rest = chunk.subarray(end, used);
    }
  } finally {
    closeSync(file);
  }
}
