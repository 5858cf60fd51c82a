import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  type CalendarDate,
  calendarDate,
  daysFrom,
  formatInstant,
  type Instant,
  instant,
  parseDate,
  parseInstant,
  startOfUtcDay,
  utcDateOf,
} from '../../src/kernel/calendar.ts';
import { DefectError } from '../../src/kernel/errors.ts';
import { type FilingPeriod, isWithin, monthsOf, parsePeriod, periodBefore } from '../../src/kernel/period.ts';
import { isTimeZone, startOfDay, zoneCalendar, zoneClock } from '../../src/kernel/time-zones.ts';
import { anyDate, anyInstant } from '../support/arbitraries.ts';
import { rowsOf } from '../support/rows.ts';

const ZONES = [
  'America/Los_Angeles',
  'America/New_York',
  'America/Phoenix',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'UTC',
] as const;

const at = (text: string): Instant => parseInstant(text) ?? expect.fail(`${text} is not an instant`);
const period = (text: string): FilingPeriod => parsePeriod(text) ?? expect.fail(`${text} is not a period`);

describe('a calendar date', () => {
  test('exists from 1900 to 9999, leap days where there are any', () => {
    for (const text of ['2000-02-29', '1900-01-01', '9999-12-31']) expect(parseDate(text)).toBe(text);
    const wrong = '2026-02-29 1900-02-29 2026-13-01 1899-12-31 2026-1-5 10/31/2026'.split(' ');
    for (const text of [...wrong, '2026-10-31\n', '']) {
      expect(parseDate(text)).toBeUndefined();
      expect(() => calendarDate(text)).toThrow(DefectError);
    }
  });

  test('compares as its text does, has days added that come off again, and starts at its midnight in UTC', () => {
    expect(addDays('2024-03-01' as CalendarDate, -1)).toBe('2024-02-29');
    fc.assert(
      fc.property(anyDate, fc.integer({ min: 1, max: 40_000 }), (date, days) => {
        const later = addDays(date, days);
        expect([later > date, addDays(later, -days), daysFrom(date, later)]).toEqual([true, date, days]);
        const start = startOfUtcDay(date);
        expect([utcDateOf(start), utcDateOf(instant(start - 1))]).toEqual([date, addDays(date, -1)]);
      }),
    );
  });
});

describe('an instant', () => {
  test.for(
    rowsOf(`
    2026-10-31T23:30:00-07:00 | 2026-11-01T06:30:00.000Z | with an offset
    2026-10-31 23:30:00-0700 | 2026-11-01T06:30:00.000Z | a blank may stand for the T
    2026-11-01T05:15:00+05:45 | 2026-10-31T23:30:00.000Z | an offset with quarter hours
    2026-10-31T23:30:00 | 2026-10-31T23:30:00.000Z | without an offset it is UTC
    2026-10-31T23:30:00.123456789Z | 2026-10-31T23:30:00.123Z | finer than we keep, cut and not rounded
    2026-10-31 23:30:00 -0700 | | an offset behind a blank
    2026-02-29T12:00:00Z | | a day that does not exist
    2026-10-31T24:00:00Z | | a day has no hour 24
    2026-10-31T23:59:60Z | | a leap second
    2026-10-31T23:30:00+15:00 | | an offset that no place has
    2026-10-31T23:30Z | | without seconds
    2026-10-31 | | a day is not an instant
    1900-01-01T00:00:00+14:00 | | in UTC it is the year before the first
  `),
  )('%s is “%s”: %s', ([text, utc]) => {
    const found = parseInstant(text);
    expect(found === undefined ? '' : formatInstant(found)).toBe(utc);
  });

  test('is written as JavaScript writes it', () => {
    const edges = [-8.64e15, 8.64e15, -62_198_755_200_001, 253_402_300_800_000, -1, 0, 999].map(instant);
    const any = fc.oneof(
      anyInstant,
      fc.constantFrom(...edges),
      fc.maxSafeInteger().map((time) => instant(time % 8.64e15)),
    );
    fc.assert(
      fc.property(any, any, (first, second) => {
        for (const each of [first, second, first])
          expect(formatInstant(each)).toBe(new Date(each).toISOString());
      }),
    );
  });
});

describe('a time zone', () => {
  test.for(ZONES)('has the business dates of luxon around the changes of 2026: %s', (zone) => {
    const calendar = zoneCalendar(zone);
    for (const day of ['2026-03-08', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01']) {
      const noon = at(`${day}T12:00:00Z`);
      for (let quarter = -144; quarter <= 144; quarter += 1) {
        const edge = noon + quarter * 900_000;
        for (const when of [instant(edge - 1), instant(edge)])
          expect(calendar.dateAt(when)).toBe(DateTime.fromMillis(when, { zone }).toISODate());
      }
    }
  });

  test('begins a day at the first instant with that date', () => {
    const santiago = startOfDay(calendarDate('2026-09-06'), 'America/Santiago');
    // Midnight is skipped there.
    expect(santiago).toBe(at('2026-09-06T04:00:00Z'));
    fc.assert(
      fc.property(anyDate, fc.constantFrom(...ZONES), (date, zone) => {
        // Samoa and its neighbours skipped a day when they moved across the date line.
        fc.pre(zone !== 'Pacific/Kiritimati' || date > '1996');
        const start = startOfDay(date, zone);
        const calendar = zoneCalendar(zone);
        expect(calendar.dateAt(start)).toBe(date);
        expect(calendar.dateAt(instant(start - 1)) < date).toBe(true);
      }),
    );
  });

  test.for(
    rowsOf(`
    America/Los_Angeles | 2026-10-31T23:30:00 | 2026-11-01T06:30:00.000Z | in summer time
    America/Los_Angeles | 2026-11-01T01:30:00 | 2026-11-01T08:30:00.000Z | shown twice: the first
    America/Los_Angeles | 2026-11-01T02:00:00 | 2026-11-01T10:00:00.000Z | the first that is shown once again
    America/Los_Angeles | 2026-03-08T02:30:00 | 2026-03-08T10:30:00.000Z | never shown: an hour later
    Europe/Berlin | 2026-10-25T02:30:00 | 2026-10-25T00:30:00.000Z | shown twice, east of Greenwich
  `),
  )('has a clock on the wall: %s %s is %s, %s', ([zone, wall, utc]) => {
    expect(formatInstant(zoneClock(zone)(Date.parse(`${wall}Z`)))).toBe(utc);
  });

  test('has the name of an IANA zone', () => {
    expect(['America/Los_Angeles', 'UTC'].map(isTimeZone)).toEqual([true, true]);
    for (const name of ['PST8', 'Pacific Time', '', '+02:00']) {
      expect(isTimeZone(name)).toBe(false);
      expect(() => zoneCalendar(name)).toThrow(DefectError);
    }
    expect(() => zoneClock('Mars/Olympus')).toThrow('is not an IANA time zone');
  });
});

describe('a filing period', () => {
  test.for(
    rowsOf(`
    2024-02 | 2024-02-01 | 2024-02-29 | 1 | 2024-01 | a leap February
    2026-01 | 2026-01-01 | 2026-01-31 | 1 | 2025-12 | a month across the year
    2026-Q1 | 2026-01-01 | 2026-03-31 | 3 | 2025-Q4 | a quarter across the year
    2026-H2 | 2026-07-01 | 2026-12-31 | 6 | 2026-H1 | the second half
    2026 | 2026-01-01 | 2026-12-31 | 12 | 2025 | a year
    2026-06..2026-08 | 2026-06-01 | 2026-08-31 | 3 | 2026-03..2026-05 | a quarter of a year that begins in March
    2026-03..2027-02 | 2026-03-01 | 2027-02-28 | 12 | 2025-03..2026-02 | such a year
    2025-Q4..2026-01 | 2025-10-01 | 2026-01-31 | 4 | | a range of unlike ends
    1977..2026 | 1977-01-01 | 2026-12-31 | 600 | | fifty years, the longest range
  `),
  )('%s runs from %s to %s, %s months, after “%s”: %s', ([text, first, last, months, before]) => {
    expect(period(text)).toEqual({ label: text, first, last });
    expect(monthsOf(period(text))).toHaveLength(Number(months));
    expect(periodBefore(period(text))?.label ?? '').toBe(before);
  });

  test('is none where its text is not one', () => {
    const wrong = '2026-13 2026-1 2026-Q5 2026-10-31 26 1899 2026-10.. 2026-10..2026-09 2026..2026-06';
    for (const text of [...wrong.split(' '), '', '1976-12..2026-12'])
      expect(parsePeriod(text), text).toBeUndefined();
  });

  test('has each of its days: every day lies in its month, quarter, half and year', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        const year = date.slice(0, 4);
        const month = Number(date.slice(5, 7));
        const parts = [`-Q${Math.ceil(month / 3)}`, `-H${Math.ceil(month / 6)}`, '', date.slice(4, 7)];
        for (const part of parts) expect(isWithin(period(`${year}${part}`), date)).toBe(true);
      }),
    );
  });
});
