import type { Clock } from '../../kernel/calendar.ts';

/**
 * A cache of recent reads, so that a busy service does not read the same row with every request. `forget` clears it
 * after a change by this process; a change by another process is seen when an entry expires.
 */
export type RecentReadings<Key, Value> = {
  readonly get: (key: Key) => Value | undefined;
  readonly keep: (key: Key, value: Value) => void;
  /** Returns the cached value, or loads it once for all concurrent callers. A missing value is not cached. */
  readonly read: (key: Key, load: () => Promise<Value | undefined>) => Promise<Value | undefined>;
  readonly forget: () => void;
};

const FRESH_MS = 1_000;
const READINGS_MAX = 10_000;

export const recentReadings = <Key, Value>(clock: Clock): RecentReadings<Key, Value> => {
  const readings = new Map<Key, { readonly value: Value; readonly freshUntil: number }>();
  const underWay = new Map<Key, Promise<Value | undefined>>();
  const get = (key: Key): Value | undefined => {
    const reading = readings.get(key);
    return reading !== undefined && clock.now() < reading.freshUntil ? reading.value : undefined;
  };
  const keep = (key: Key, value: Value): void => {
    if (readings.size >= READINGS_MAX) readings.clear();
    readings.set(key, { value, freshUntil: clock.now() + FRESH_MS });
    underWay.delete(key);
  };
  const loaded = async (key: Key, load: () => Promise<Value | undefined>): Promise<Value | undefined> => {
    // If the key was kept or forgotten meanwhile, this reading is outdated.
    const isNewest = (): boolean => underWay.get(key) === reading;
    const reading = load();
    underWay.set(key, reading);
    try {
      const value = await reading;
      if (value !== undefined && isNewest()) keep(key, value);
      return value;
    } finally {
      if (isNewest()) underWay.delete(key);
    }
  };
  return {
    get,
    keep,
    read: async (key, load) => get(key) ?? underWay.get(key) ?? loaded(key, load),
    forget: () => {
      readings.clear();
      underWay.clear();
    },
  };
};
