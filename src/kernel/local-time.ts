import { IANAZone } from 'luxon';
import { DAY_MS, type Instant, instant } from './calendar.ts';
import { DefectError } from './errors.ts';

/** What a clock on the wall shows, in milliseconds as if it were UTC. */
export type WallTime = number;

const MINUTE_MS = 60_000;
const QUARTER_HOUR_MS = 15 * MINUTE_MS;
const REMEMBERED_MAX = 200_000;

/**
 * The instant at which a clock in a time zone shows a wall time. A time that the clocks show twice in autumn is the
 * first of the two; one that they skip in spring is as much later as they were set forward. Looking up an offset is
 * slow, so it is remembered for each quarter hour.
 */
export const zoneClock = (zone: string): ((wall: WallTime) => Instant) => {
  const iana = IANAZone.create(zone);
  if (!iana.isValid) throw new DefectError(`${zone} is not an IANA time zone`);
  const offsetMs = (at: number): number => iana.offset(at) * MINUTE_MS;
  const offsetOfWall = (wall: number): number => {
    // The offset before a change and the one after it; the earlier instant that shows this wall time wins.
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

/** What a clock in a time zone shows at an instant. */
export const wallTimeIn = (zone: string): ((at: Instant) => WallTime) => {
  const iana = IANAZone.create(zone);
  if (!iana.isValid) throw new DefectError(`${zone} is not an IANA time zone`);
  return (at) => at + iana.offset(at) * MINUTE_MS;
};
