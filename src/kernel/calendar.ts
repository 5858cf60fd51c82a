import { DefectError } from './errors.ts';

declare const dateBrand: unique symbol;
declare const instantBrand: unique symbol;

/** A calendar day, `YYYY-MM-DD`, without time or zone. Days sort as text. */
export type CalendarDate = string & { readonly [dateBrand]: 'CalendarDate' };

/** A point in time: milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number & { readonly [instantBrand]: 'Instant' };

export const DAY_MS = 86_400_000;

const DATE_TEXT = /^(\d{4})-(\d{2})-(\d{2})$/;
const INSTANT_TEXT =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?$/;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const FIRST_MS = Date.UTC(1900, 0, 1);
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export const isDay = (year: number, month: number, day: number): boolean =>
  year >= 1900 &&
  month >= 1 &&
  month <= 12 &&
  day >= 1 &&
  (day <= 28 || day <= new Date(Date.UTC(year, month, 0)).getUTCDate());

/** Read `2026-10-31`; `undefined` when the day does not exist. */
export const parseDate = (text: string): CalendarDate | undefined => {
  const parts = DATE_TEXT.exec(text);
  if (!parts) return undefined;
  return isDay(Number(parts[1]), Number(parts[2]), Number(parts[3])) ? (text as CalendarDate) : undefined;
};

/** Build a day from its numbers; `undefined` when it does not exist. */
export const dateOf = (year: number, month: number, day: number): CalendarDate | undefined =>
  parseDate(
    `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
  );

/** Read a day that is known to be well formed. @throws {DefectError} when it is not. */
export const calendarDate = (text: string): CalendarDate => {
  const date = parseDate(text);
  if (date === undefined) throw new DefectError(`${text} is not a calendar date`);
  return date;
};

/** @throws {DefectError} when the count is not a whole number of milliseconds in the range of JavaScript's `Date` */
export const instant = (milliseconds: number): Instant => {
  if (!Number.isSafeInteger(milliseconds) || Math.abs(milliseconds) > 8.64e15) {
    throw new DefectError(`${milliseconds} is not an instant`);
  }
  return milliseconds as Instant;
};

/**
 * Read an ISO 8601 date and time with `Z` or an offset (`+02:00`, `-0500`), separated by `T` or a blank. Without an
 * offset it is UTC, as in the service interface. `undefined` when the time does not exist, or when it is outside the
 * years 1900 to 9999 in UTC, where it could not be written and read back.
 */
export const parseInstant = (text: string): Instant | undefined => {
  const parts = INSTANT_TEXT.exec(text);
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = parts;
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offset = offsetOf(zone);
  if (offset === undefined) return undefined;
  const utc = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const at = utc + Number((fraction ?? '').padEnd(3, '0').slice(0, 3)) - offset;
  return isWritable(instant(at)) ? instant(at) : undefined;
};

/** Whether an instant can be written as text and read back: it is within the years 1900 to 9999 in UTC. */
export const isWritable = (at: Instant): boolean => FIRST_MS <= at && at <= LAST_MS;

/** Read `Z` or an offset such as `-05:00` as milliseconds; none is UTC, `undefined` when there is no such offset. */
export const offsetOf = (zone: string | undefined): number | undefined => {
  if (zone === undefined || zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 14 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS);
};

/** Format as `2026-10-31T23:30:00.000Z`. */
export const formatInstant = (at: Instant): string => {
  const { startMs, text } = dayOf(at);
  const inDay = at - startMs;
  const hours = twoDigits(Math.floor(inDay / HOUR_MS));
  const minutes = twoDigits(Math.floor((inDay % HOUR_MS) / MINUTE_MS));
  const seconds = twoDigits(Math.floor((inDay % MINUTE_MS) / 1000));
  return `${text}T${hours}:${minutes}:${seconds}.${String(inDay % 1000).padStart(3, '0')}Z`;
};

const twoDigits = (count: number): string => (count < 10 ? `0${count}` : String(count));

type Day = {
  readonly startMs: number;
  readonly text: string;
};

let lastDay: Day = { startMs: Number.NaN, text: '' };

/** Consecutive records mostly share a day, and formatting a date costs more than all the rest: cache the last one. */
const dayOf = (at: Instant): Day => {
  const startMs = Math.floor(at / DAY_MS) * DAY_MS;
  if (startMs !== lastDay.startMs)
    lastDay = { startMs, text: new Date(startMs).toISOString().slice(0, -'T00:00:00.000Z'.length) };
  return lastDay;
};

/** Midnight UTC at the start of a day. */
export const startOfUtcDay = (date: CalendarDate): Instant => instant(Date.parse(`${date}T00:00:00Z`));

export const utcDateOf = (at: Instant): CalendarDate => dayOf(at).text as CalendarDate;

export const laterOf = (left: CalendarDate, right: CalendarDate): CalendarDate =>
  left > right ? left : right;

export const addDays = (date: CalendarDate, days: number): CalendarDate =>
  utcDateOf(instant(startOfUtcDay(date) + days * DAY_MS));

/** Count the days from `first` to `last`; negative when `last` is earlier. */
export const daysFrom = (first: CalendarDate, last: CalendarDate): number =>
  (startOfUtcDay(last) - startOfUtcDay(first)) / DAY_MS;

/** The source of "now". It is injected everywhere, so that only the composition root reads the real time. */
export type Clock = { readonly now: () => Instant };

// Every command needs a clock but few need a calendar, so only the type of an instant is imported from there.
export const systemClock: Clock = { now: () => Date.now() as Instant };

export const fixedClock = (at: Instant): Clock => ({ now: () => at });
