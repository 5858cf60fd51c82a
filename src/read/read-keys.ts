import { type Instant, instant } from '../kernel/calendar.ts';

/** What the first reading of a key leaves behind. */
export type SeenKey = {
  /** Whether it is a sale now; otherwise its records were set aside. */
  readonly isSale: boolean;
  /** Whether the sale is not accepted without remarks. */
  readonly isDoubtful: boolean;
  /** The business day of the sale; empty for none. */
  readonly day: string;
  /** The position of its file among all files, and its line there. */
  readonly file: number;
  readonly line: number;
  /** A number of 32 bits for all that its rows say. */
  readonly digest: number;
  /** The moment of the sale, where moments are kept. */
  readonly instant: Instant;
};

const IS_SALE = 1;
const IS_DOUBTFUL = 2;

/** The share of places of a table that may be taken before it gets larger. */
const FULL = 0.8;
const GROWTH = 1.25;
const FIRST_SIZE = 64;
/** Small tables grow one by one, so that memory never holds all of them twice. */
const TABLES = 256;

/**
 * Keeps what is known of keys at 21 bytes a place, however long their texts are. A key is known by a number of 53 bits.
 * Two keys of one number are told apart by the digests of their sales, which cover the keys: they look like one record
 * that is stated twice, and reading their rows again shows that they are two.
 */
export const seenKeys = () => {
  const tables: (Table | undefined)[] = Array.from({ length: TABLES }, () => undefined);
  let keepsInstants = false;
  const days: string[] = [];
  const numbers = new Map<string, number>();
  const numberOfDay = (day: string): number => {
    const known = numbers.get(day);
    if (known !== undefined) return known;
    numbers.set(day, days.length);
    return days.push(day) - 1;
  };
  return {
    /** Keeps the moments of the sales that follow, which only exports whose orders come in parts need. */
    keepInstants: (): void => {
      if (!keepsInstants)
        for (const table of tables) if (table) table.instants = new Float64Array(table.size);
      keepsInstants = true;
    },
    get: (key: string): SeenKey | undefined => {
      const number = textNumber(key);
      const table = tables[number % TABLES];
      const at = table ? placeIn(table, number) : 0;
      if (table?.keys[at] !== number) return undefined;
      const flags = table.flags[at] ?? 0;
      return {
        isSale: (flags & IS_SALE) !== 0,
        isDoubtful: (flags & IS_DOUBTFUL) !== 0,
        day: days[table.days[at] ?? 0] ?? '',
        file: table.files[at] ?? 0,
        line: table.lines[at] ?? 0,
        digest: table.digests[at] ?? 0,
        instant: instant(table.instants[at] ?? 0),
      };
    },
    set: (key: string, seen: SeenKey): void => {
      const number = textNumber(key);
      let table = tables[number % TABLES] ?? emptyTable(FIRST_SIZE, keepsInstants);
      if (table.count >= table.size * FULL) table = grown(table, keepsInstants);
      tables[number % TABLES] = table;
      const at = placeIn(table, number);
      if (table.keys[at] === 0) table.count += 1;
      table.keys[at] = number;
      table.flags[at] = (seen.isSale ? IS_SALE : 0) | (seen.isDoubtful ? IS_DOUBTFUL : 0);
      table.days[at] = numberOfDay(seen.day);
      table.files[at] = seen.file;
      table.lines[at] = seen.line;
      table.digests[at] = seen.digest;
      table.instants[at] = seen.instant;
    },
    /** Returns what tells whether a key was seen, and gives back the memory of all else that is known of keys. */
    onlyNames: (): ((key: string) => boolean) => {
      const names = tables.map((table) => {
        const keys = table?.keys.slice() ?? new Float64Array(1);
        table?.bytes.transfer(0);
        return { keys, size: keys.length };
      });
      return (key) => {
        const number = textNumber(key);
        const table = names[number % TABLES];
        return table?.keys[placeIn(table, number)] === number;
      };
    },
  };
};

/** @param size a multiple of eight, so that every column begins where its values may */
const emptyTable = (size: number, keepsInstants: boolean) => {
  const bytes = new ArrayBuffer(21 * size);
  return {
    size,
    count: 0,
    bytes,
    keys: new Float64Array(bytes, 0, size),
    digests: new Uint32Array(bytes, 8 * size, size),
    lines: new Uint32Array(bytes, 12 * size, size),
    files: new Uint16Array(bytes, 16 * size, size),
    days: new Uint16Array(bytes, 18 * size, size),
    flags: new Uint8Array(bytes, 20 * size, size),
    instants: new Float64Array(keepsInstants ? size : 0),
  };
};
type Table = ReturnType<typeof emptyTable>;

/** Returns a larger table with what is in one, and frees that now, not with the next collection. */
const grown = (table: Table, keepsInstants: boolean): Table => {
  const larger = emptyTable(8 * Math.ceil((table.size * GROWTH) / 8), keepsInstants);
  for (let from = 0; from < table.size; from += 1) {
    const key = table.keys[from] ?? 0;
    if (key === 0) continue;
    const to = placeIn(larger, key);
    larger.keys[to] = key;
    larger.digests[to] = table.digests[from] ?? 0;
    larger.lines[to] = table.lines[from] ?? 0;
    larger.files[to] = table.files[from] ?? 0;
    larger.days[to] = table.days[from] ?? 0;
    larger.flags[to] = table.flags[from] ?? 0;
    larger.instants[to] = table.instants[from] ?? 0;
  }
  larger.count = table.count;
  table.bytes.transfer(0);
  return larger;
};

/** Returns where a number stands, or the free place for it. */
const placeIn = ({ keys, size }: Pick<Table, 'keys' | 'size'>, number: number): number => {
  let at = Math.floor(number / TABLES) % size;
  while (keys[at] !== 0 && keys[at] !== number) {
    at += 1;
    if (at === size) at = 0;
  }
  return at;
};

/** Odd numbers that spread the bits of a text. */
const LOW = 0x85ebca6b;
const HIGH = 0xc2b2ae35;

/** Returns a number of 53 bits for a text, never 0. */
export const textNumber = (text: string): number => {
  let low = 0x2545f491;
  let high = 0x9e3779b9;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, LOW);
    high = Math.imul(high ^ unit, HIGH);
  }
  low = Math.imul(low ^ (low >>> 16), HIGH);
  high = Math.imul(high ^ (high >>> 13), LOW);
  low ^= high >>> 15;
  high ^= low >>> 13;
  return (high & 0x1f_ffff) * 0x1_0000_0000 + (low >>> 0) || 1;
};
