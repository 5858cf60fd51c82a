import type { Clock } from '../../kernel/clock.ts';

/**
 * What was read a moment ago and may be used again, so that a busy service does not ask the database for the same row
 * with every request. A change by this process is told with `forget`; one by another is seen when the time is over.
 */
export type RecentReadings<Key, Value> = {
  readonly get: (key: Key) => Value | undefined;
  readonly keep: (key: Key, value: Value) => void;
  readonly forget: () => void;
};

const FRESH_MS = 1_000;
const READINGS_MAX = 10_000;

export const recentReadings = <Key, Value>(clock: Clock): RecentReadings<Key, Value> => {
  const readings = new Map<Key, { readonly value: Value; readonly freshUntil: number }>();
  return {
    get: (key) => {
      const reading = readings.get(key);
      return reading !== undefined && clock.now() < reading.freshUntil ? reading.value : undefined;
    },
    keep: (key, value) => {
      if (readings.size >= READINGS_MAX) readings.clear();
      readings.set(key, { value, freshUntil: clock.now() + FRESH_MS });
    },
    forget: () => readings.clear(),
  };
};
