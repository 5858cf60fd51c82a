import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  calendarDate,
  daysFrom,
  formatInstant,
  instant,
  parseDate,
  parseInstant,
  startOfUtcDay,
  utcDateOf,
} from '../../src/kernel/calendar.ts';
import { DefectError } from '../../src/kernel/errors.ts';
import { anyDate, anyInstant } from '../support/arbitraries.ts';
import { rowsOf } from '../support/rows.ts';

describe('a calendar date', () => {
  test.for([
    ['2000-02-29', 'a leap day of a century that has one'],
    ['1900-01-01', 'the first day'],
    ['9999-12-31', 'the last day'],
  ] as const)('%s exists: %s', ([text]) => {
    expect(parseDate(text)).toBe(text);
  });

  test.for([
    ['2026-02-29', 'no leap year'],
    ['1900-02-29', 'a century without a leap day'],
    ['2026-13-01', 'no thirteenth month'],
    ['1899-12-31', 'before the first day'],
    ['2026-1-5', 'without its zeros'],
    ['10/31/2026', 'the American way'],
    ['2026-10-31\n', 'with an end of line'],
    ['', 'blank'],
  ] as const)('"%s" does not exist: %s', ([text]) => {
    expect(parseDate(text)).toBeUndefined();
    expect(() => calendarDate(text)).toThrow(DefectError);
  });

  test.for([
    ['2026-12-31', 1, '2027-01-01', 'into the next year'],
    ['2024-03-01', -1, '2024-02-29', 'back to a leap day'],
    ['2026-03-01', -1, '2026-02-28', 'and back where there is none'],
  ] as const)('%s and %i days is %s: %s', ([date, days, then]) => {
    expect(addDays(calendarDate(date), days)).toBe(then);
  });

  test('compares as its text does, and days added come off again', () => {
    fc.assert(
      fc.property(anyDate, fc.integer({ min: 1, max: 40_000 }), (date, days) => {
        const later = addDays(date, days);
        expect(later > date).toBe(true);
        expect(addDays(later, -days)).toBe(date);
        expect(daysFrom(date, later)).toBe(days);
      }),
    );
  });

  test('starts at its midnight in UTC', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        const start = startOfUtcDay(date);
        expect(utcDateOf(start)).toBe(date);
        expect(utcDateOf(instant(start - 1))).toBe(addDays(date, -1));
      }),
    );
  });
});

describe('an instant', () => {
  test.for([
    ['2026-10-31T23:30:00-07:00', '2026-11-01T06:30:00.000Z', 'with an offset'],
    ['2026-10-31 23:30:00 -0700', undefined, 'but not behind a blank'],
    ['2026-10-31 23:30:00-0700', '2026-11-01T06:30:00.000Z', 'a blank may stand for the T'],
    ['2026-11-01T05:15:00+05:45', '2026-10-31T23:30:00.000Z', 'an offset with quarter hours'],
    ['2026-10-31T23:30:00', '2026-10-31T23:30:00.000Z', 'without an offset it is UTC'],
    ['2026-10-31T23:30:00.123456789Z', '2026-10-31T23:30:00.123Z', 'finer than we keep, cut and not rounded'],
    ['2024-02-29T00:00:00-14:00', '2024-02-29T14:00:00.000Z', 'with the largest offset'],
  ] as const)('%s is %s: %s', ([text, utc]) => {
    const at = parseInstant(text);
    expect(at === undefined ? undefined : formatInstant(at)).toBe(utc);
  });

  test.for(
    rowsOf(`
    2026-02-29T12:00:00Z | a day that does not exist
    2026-10-31T24:00:00Z | a day has no hour 24
    2026-10-31T23:59:60Z | a leap second
    2026-10-31T23:30:00+15:00 | an offset that no place has
    2026-10-31T23:30Z | without seconds
    2026-10-31 | a day is not an instant
    1900-01-01T00:00:00+14:00 | in UTC it is the year before the first
  `),
  )('%s is none: %s', ([text]) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test('is written as JavaScript writes it', () => {
    const edges = [-8.64e15, 8.64e15, -62_198_755_200_001, 253_402_300_800_000, -1, 0, 999].map(instant);
    const any = fc.oneof(
      anyInstant,
      fc.constantFrom(...edges),
      fc.maxSafeInteger().map((at) => instant(at % 8.64e15)),
    );
    fc.assert(
      fc.property(any, any, (first, second) => {
        for (const at of [first, second, first]) expect(formatInstant(at)).toBe(new Date(at).toISOString());
      }),
    );
  });
});
