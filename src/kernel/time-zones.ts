import { DateTime, IANAZone } from 'luxon';
import { type CalendarDate, DAY_MS, type Instant, instant, utcDateOf } from './calendar.ts';
import { DefectError } from './errors.ts';

const MINUTE_MS = 60_000;
const QUARTER_HOUR_MS = 15 * MINUTE_MS;

/**
 * Whether this names a time zone, such as `America/Los_Angeles`. A bare offset or an abbreviation does not: it has no
 * summer time.
 */
export const isTimeZone = (zone: string): boolean => /\/|^UTC$/.test(zone) && IANAZone.create(zone).isValid;

/** What to write in place of a text that names no time zone. */
export const WANTED_ZONE = 'an IANA time zone such as America/New_York';

/** Return a function that tells the offset of a time zone at an instant, in milliseconds. */
const offsetsOf = (zone: string): ((at: number) => number) => {
  if (!isTimeZone(zone)) throw new DefectError(`${zone} is not an IANA time zone`);
  const iana = IANAZone.create(zone);
  return (at) => iana.offset(at) * MINUTE_MS;
};

const REMEMBERED_MAX = 200_000;

/** Looking up an offset is slow, so it is cached for each quarter hour: since 2011, clocks change at the start of one. */
const byQuarterHour = (offsetAt: (at: number) => number): ((at: number) => number) => {
  const remembered = new Map<number, number>();
  return (at) => {
    const quarter = Math.floor(at / QUARTER_HOUR_MS);
    let offset = remembered.get(quarter);
    if (offset === undefined) {
      offset = offsetAt(quarter * QUARTER_HOUR_MS);
      if (remembered.size >= REMEMBERED_MAX) remembered.clear();
      remembered.set(quarter, offset);
    }
    return offset;
  };
};

/** Return the calendar of a time zone, which tells the day at an instant. */
export const zoneCalendar = (zone: string): { readonly dateAt: (at: Instant) => CalendarDate } => {
  const offsetAt = byQuarterHour(offsetsOf(zone));
  return { dateAt: (at) => utcDateOf(instant(at + offsetAt(at))) };
};

/** Return the first instant of a day in a time zone. */
export const startOfDay = (date: CalendarDate, zone: string): Instant =>
  instant(DateTime.fromISO(date, { zone }).startOf('day').toMillis());

/** The time on a local clock, in milliseconds as if it were UTC. */
export type WallTime = number;

/**
 * Return a function that finds the instant at which clocks in a time zone show a wall time. A time that occurs twice
 * in autumn means the first occurrence; a time that is skipped in spring is moved later by the amount of the change.
 */
export const zoneClock = (zone: string): ((wall: WallTime) => Instant) => {
  const offsetMs = offsetsOf(zone);
  const offsetOfWall = byQuarterHour((wall) => {
    // The offsets before and after a change; the earlier instant with this wall time wins.
    const before = offsetMs(wall - offsetMs(wall - DAY_MS));
    const first = wall - before;
    if (offsetMs(first) === before) return before;
    const after = offsetMs(wall - offsetMs(wall + DAY_MS));
    return offsetMs(wall - after) === after ? after : offsetMs(wall - DAY_MS);
  });
  return (wall) => instant(wall - offsetOfWall(wall));
};
