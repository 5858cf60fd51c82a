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

/** The last lines of a day, outside of the heap: what waits for the end of a run costs no garbage collection. */
type Held = { bytes: Buffer; used: number };

const emptyHeld = (): Held => ({ bytes: Buffer.alloc(0), used: 0 });

/**
 * Keeps items by day as lines of JSON: in memory, and beyond `bytesMax` of them in one file a day below a folder. Lines
 * only follow one another: what replaces an item, or takes it out, stands behind it.
 *
 * @param folder is created when it is needed; what an earlier run left there is removed
 */
export const partitions = <Item extends Keyed>(folder: string, bytesMax: number) => {
  const days = new Map<string, Held>();
  const spilled = new Set<string>();
  let bytes = 0;
  rmSync(folder, { recursive: true, force: true });

  const pathOf = (day: string): string => join(folder, `${day || 'undated'}.ndjson`);
  const spill = (): void => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const [day, held] of days) {
      if (held.used === 0) continue;
      appendFileSync(pathOf(day), held.bytes.subarray(0, held.used), { mode: 0o600 });
      spilled.add(day);
      days.set(day, emptyHeld());
    }
    bytes = 0;
  };
  const put = (day: string, key: string, text: string): void => {
    const line = `${JSON.stringify(key)}\t${text}\n`;
    const held = days.get(day) ?? emptyHeld();
    days.set(day, held);
    const needed = held.used + line.length * UNIT_BYTES_MAX;
    if (needed > held.bytes.length) {
      const larger = Buffer.allocUnsafe(2 * needed);
      held.bytes.copy(larger, 0, 0, held.used);
      held.bytes = larger;
    }
    const written = held.bytes.write(line, held.used);
    held.used += written;
    bytes += written;
    if (bytes > bytesMax) spill();
  };
  /** Yields the lines of a day, in the order in which they were written. */
  function* linesOfDay(day: string): Generator<Buffer> {
    if (spilled.has(day)) yield* linesOf(pathOf(day));
    const held = days.get(day);
    if (held) yield* linesIn(held.bytes.subarray(0, held.used));
  }
  /** Returns the items of a day with these keys. */
  const find = (day: string, isWanted: (key: string) => boolean): Item[] => {
    const found = new Map<string, Buffer>();
    for (const line of linesOfDay(day)) {
      const end = line.indexOf(TAB);
      const key = nameAt(line, end);
      if (!isWanted(key)) continue;
      if (end + 1 === line.length) found.delete(key);
      else found.set(key, line.subarray(end + 1));
    }
    return [...found.values()].map((line) => JSON.parse(line.toString()) as Item);
  };
  const read = (day: string): readonly Item[] => find(day, () => true).sort(byKey);
  return {
    add: (day: string, item: Item): void => put(day, item.key, JSON.stringify(item)),
    drop: (day: string, key: string): void => put(day, key, ''),
    /** Days that have, or had, an item, in order; an item without a day is of day ''. */
    days: (): readonly string[] => [...days.keys()].sort(),
    find,
    /** Returns the items of a day in the order of their keys. */
    read,
    /** Returns the same where no item was replaced or taken out: all of a key that stand there. */
    all: (day: string): readonly Item[] =>
      Array.from(
        linesOfDay(day),
        (line) => JSON.parse(line.toString('utf8', line.indexOf(TAB) + 1)) as Item,
      ).sort(byKey),
    /** Returns the same, and forgets them. */
    take: (day: string): readonly Item[] => {
      const items = read(day);
      bytes -= days.get(day)?.used ?? 0;
      days.delete(day);
      if (spilled.delete(day)) rmSync(pathOf(day));
      return items;
    },
    /** Removes all files. */
    end: (): void => rmSync(folder, { recursive: true, force: true }),
  };
};

const byKey = (one: Keyed, other: Keyed): number => compareKeys(one.key, other.key);

export type DayStore<Item extends Keyed> = ReturnType<typeof partitions<Item>>;

/** Returns the key before a tab, which is a JSON text. */
const nameAt = (line: Buffer, end: number): string => {
  const plain = line.toString('utf8', 1, end - 1);
  return plain.includes('\\') ? (JSON.parse(`"${plain}"`) as string) : plain;
};

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
