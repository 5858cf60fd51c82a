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
  /** A number for all that its rows say. */
  readonly digest: number;
  /** The moment of the sale. */
  readonly instant: Instant;
};

const IS_SALE = 1;
const IS_DOUBTFUL = 2;

/** The share of places that may be taken before there have to be twice as many. */
const FULL = 0.75;
const FIRST_SIZE = 1 << 12;

/**
 * Keeps what is known of keys at 33 bytes a place, however long their texts are. A key is known by a number of 53 bits.
 * Two keys of one number are told apart by the digests of their sales, which cover the keys: they look like one record
 * that is stated twice, and reading their rows again shows that they are two.
 */
export const seenKeys = () => {
  let places = emptyPlaces(FIRST_SIZE);
  let count = 0;
  const days: string[] = [];
  const numbers = new Map<string, number>();
  const numberOfDay = (day: string): number => {
    const known = numbers.get(day);
    if (known !== undefined) return known;
    numbers.set(day, days.length);
    return days.push(day) - 1;
  };
  const grow = (): void => {
    const before = places;
    places = emptyPlaces(before.keys.length * 2);
    for (const [from, key] of before.keys.entries()) {
      if (key === 0) continue;
      const to = placeOf(places.keys, key);
      for (const column of COLUMNS) {
        places[column][to] = before[column][from] ?? 0;
      }
    }
  };
  return {
    get: (key: string): SeenKey | undefined => {
      const number = textNumber(key);
      const at = placeOf(places.keys, number);
      if (places.keys[at] !== number) return undefined;
      const flags = places.flags[at] ?? 0;
      return {
        isSale: (flags & IS_SALE) !== 0,
        isDoubtful: (flags & IS_DOUBTFUL) !== 0,
        day: days[places.days[at] ?? 0] ?? '',
        file: places.files[at] ?? 0,
        line: places.lines[at] ?? 0,
        digest: places.digests[at] ?? 0,
        instant: instant(places.instants[at] ?? 0),
      };
    },
    set: (key: string, seen: SeenKey): void => {
      const number = textNumber(key);
      let at = placeOf(places.keys, number);
      if (places.keys[at] === 0) {
        count += 1;
        if (count > places.keys.length * FULL) grow();
        at = placeOf(places.keys, number);
      }
      places.keys[at] = number;
      places.flags[at] = flagsOf(seen);
      places.days[at] = numberOfDay(seen.day);
      places.files[at] = seen.file;
      places.lines[at] = seen.line;
      places.digests[at] = seen.digest;
      places.instants[at] = seen.instant;
    },
  };
};

const emptyPlaces = (size: number) => ({
  keys: new Float64Array(size),
  digests: new Float64Array(size),
  instants: new Float64Array(size),
  lines: new Uint32Array(size),
  files: new Uint16Array(size),
  days: new Uint16Array(size),
  flags: new Uint8Array(size),
});

const COLUMNS = ['keys', 'digests', 'instants', 'lines', 'files', 'days', 'flags'] as const;

const flagsOf = ({ isSale, isDoubtful }: SeenKey): number =>
  (isSale ? IS_SALE : 0) | (isDoubtful ? IS_DOUBTFUL : 0);

/** Returns where a number stands, or the free place for it. */
const placeOf = (keys: Float64Array, number: number): number => {
  let at = number % keys.length;
  while (keys[at] !== 0 && keys[at] !== number) {
    at += 1;
    if (at === keys.length) at = 0;
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
