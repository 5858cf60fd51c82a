import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { calendarDate, type Instant, instant, parseInstant } from '../../src/kernel/calendar.ts';
import { DefectError } from '../../src/kernel/errors.ts';
import { isTimeZone, startOfDay, zoneCalendar } from '../../src/kernel/time-zones.ts';
import { anyDate } from '../support/arbitraries.ts';
import { rowsOf } from '../support/rows.ts';

const LOS_ANGELES = 'America/Los_Angeles';
const ZONES = [
  LOS_ANGELES,
  'America/New_York',
  'America/Phoenix',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'UTC',
] as const;

const at = (text: string): Instant => {
  const parsed = parseInstant(text);
  if (parsed === undefined) throw new Error(`${text} is not an instant`);
  return parsed;
};

const luxonDate = (when: Instant, zone: string) => DateTime.fromMillis(when, { zone }).toISODate();

describe('the business date of an instant', () => {
  test.for(
    rowsOf(`
    2026-10-31T23:30:00-07:00 | America/Los_Angeles | 2026-10-31 | November in UTC, and October for the seller
    2026-11-01T00:00:00-07:00 | America/Los_Angeles | 2026-11-01 | midnight opens the day
    2026-11-01T00:30:00-07:00 | America/New_York | 2026-11-01 | offsets say when, zones say which day
    2026-03-09T06:59:59Z | America/Los_Angeles | 2026-03-08 | the day the clocks go forward is an hour short
    2026-11-02T07:59:59Z | America/Los_Angeles | 2026-11-01 | the day they go back is an hour long
    2026-10-31T18:15:00Z | Asia/Kathmandu | 2026-11-01 | where the offset has 45 minutes
  `),
  )('%s in %s is %s: %s', ([text, zone, date]) => {
    expect(zoneCalendar(zone).dateAt(at(text))).toBe(date);
  });

  test.for(ZONES)('is that of luxon at every quarter hour around the changes of 2026, in %s', (zone) => {
    const calendar = zoneCalendar(zone);
    for (const day of ['2026-03-08', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01']) {
      const noon = at(`${day}T12:00:00Z`);
      for (let quarter = -144; quarter <= 144; quarter += 1) {
        const edge = noon + quarter * 900_000;
        for (const when of [instant(edge - 1), instant(edge)]) {
          expect(calendar.dateAt(when)).toBe(luxonDate(when, zone));
        }
      }
    }
  });
});

describe('the start of a day', () => {
  test.for([
    ['2026-10-31', LOS_ANGELES, '2026-10-31T07:00:00Z', 'in summer time'],
    ['2026-11-02', LOS_ANGELES, '2026-11-02T08:00:00Z', 'in winter time'],
    ['2026-10-31', 'Asia/Kathmandu', '2026-10-30T18:15:00Z', 'the evening before in UTC'],
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00Z', 'at one o’clock, where midnight is skipped'],
  ] as const)('%s in %s is %s: %s', ([date, zone, utc]) => {
    expect(startOfDay(calendarDate(date), zone)).toBe(at(utc));
  });

  test('is the first instant with that date', () => {
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
});

describe('a time zone', () => {
  test.for([
    [LOS_ANGELES, true],
    ['UTC', true],
    ['PST8', false],
    ['Pacific Time', false],
    ['', false],
    ['+02:00', false],
  ] as const)('"%s" is known: %s', ([zone, known]) => {
    expect(isTimeZone(zone)).toBe(known);
    if (!known) expect(() => zoneCalendar(zone)).toThrow(DefectError);
  });
});
