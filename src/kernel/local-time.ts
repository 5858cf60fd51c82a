import { IANAZone } from 'luxon';
import { DAY_MS, type Instant, instant } from './calendar.ts';
import { DefectError } from './errors.ts';

/** The time on a local clock, in milliseconds as if it were UTC. */
export type WallTime = number;

const MINUTE_MS = 60_000;
const QUARTER_HOUR_MS = 15 * MINUTE_MS;
const REMEMBERED_MAX = 200_000;

/**
 * Return a function that finds the instant at which clocks in a time zone show a wall time. A time that occurs twice
 * in autumn means the first occurrence; a time that is skipped in spring is moved later by the amount of the change.
 * Looking up an offset is slow, so it is cached for each quarter hour.
 */
export const zoneClock = (zone: string): ((wall: WallTime) => Instant) => {
  const iana = IANAZone.create(zone);
  if (!iana.isValid) throw new DefectError(`${zone} is not an IANA time zone`);
  const offsetMs = (at: number): number => iana.offset(at) * MINUTE_MS;
  const offsetOfWall = (wall: number): number => {
    // The offsets before and after a change; the earlier instant with this wall time wins.
    const before = offsetMs(wall - offsetMs(wall - DAY_MS));
    const first = wall - before;
    if (offsetMs(first) === before) return before;
    const after = offsetMs(wall - offsetMs(wall + DAY_MS));
    return offsetMs(wall - after) === after ? after : offsetMs(wall - DAY_MS);
  };
  const remembered = new Map<number, number>();
  return (wall) => {
    const quarter = Math.floor(wall / QUARTER_HOUR_MS);
    let offset = remembered.get(quarter);
    if (offset === undefined) {
      offset = offsetOfWall(quarter * QUARTER_HOUR_MS);
      if (remembered.size >= REMEMBERED_MAX) remembered.clear();
      remembered.set(quarter, offset);
    }
    return instant(wall - offset);
  };
};

/** Return a function that gives the wall time in a time zone at an instant. */
export const wallTimeIn = (zone: string): ((at: Instant) => WallTime) => {
  const iana = IANAZone.create(zone);
  if (!iana.isValid) throw new DefectError(`${zone} is not an IANA time zone`);
  return (at) => at + iana.offset(at) * MINUTE_MS;
};
