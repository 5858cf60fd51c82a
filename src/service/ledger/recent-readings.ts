import type { Clock } from '../../kernel/clock.ts';

/**
 * What was read a moment ago and may be used again, so that a busy service does not ask the database for the same row
 * with every request. A change by this process is told with `forget`; one by another is seen when the time is over.
 */
export type RecentReadings<Key, Value> = {
  readonly get: (key: Key) => Value | undefined;
  readonly keep: (key: Key, value: Value) => void;
  /** What was read, or is read now, once for all who ask meanwhile. What is not there is asked for again. */
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
    // What was kept or forgotten meanwhile is newer than this reading.
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
