import { describe, expect, test } from 'vitest';
import { dayNotices } from '../../../../src/close/stages/extract/file-days.ts';
import { calendarDate } from '../../../../src/kernel/calendar.ts';

/** A file that has records on these days of October, or of another month by its day and month. */
const file = (
  name: string,
  days: readonly (number | string)[],
  more: { profile?: string; undated?: number } = {},
) => ({
  name,
  profile: more.profile ?? 'shopify.orders@1',
  undated: more.undated ?? 0,
  days: new Set(
    days.map((day) =>
      calendarDate(typeof day === 'string' ? day : `2026-10-${String(day).padStart(2, '0')}`),
    ),
  ),
});
const daily = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

const said = (files: readonly ReturnType<typeof file>[], hasCompanions = false) =>
  [...dayNotices(files, hasCompanions)].flatMap(([name, notices]) =>
    notices.map(({ code, message }) => `${name} ${code}: ${message}`),
  );

describe('the files of a channel together', () => {
  test.for([
    [[file('a', daily(1, 15)), file('b', daily(16, 31))], [], 'follow each other'],
    [[file('a', daily(1, 15)), file('b', daily(18, 31))], [], 'have a weekend between them'],
    [
      [file('b', daily(20, 31)), file('a', daily(1, 10))],
      ['b days-missing: no file has a record from 2026-10-11 to 2026-10-19; an export may be missing'],
      'leave days out, in whatever order they come',
    ],
    [[file('a', [1, 12]), file('b', [21, 30])], [], 'are those of a shop that often pauses so long'],
    [
      [file('a', daily(1, 20)), file('b', daily(15, 31))],
      ['b files-overlap: it overlaps with a from 2026-10-15 to 2026-10-20; a record in both counts once'],
      'have days in common',
    ],
    [
      [file('year', ['2026-01-01', '2026-12-31']), file('october', daily(1, 31))],
      [
        'october files-overlap: it overlaps with year from 2026-10-01 to 2026-10-31; a record in both counts once',
      ],
      'lie in each other',
    ],
    [
      [file('a', daily(1, 31)), file('b', daily(1, 31), { profile: 'etsy.orders@1' })],
      [],
      'are of two kinds',
    ],
    [[file('a', []), file('b', daily(1, 31))], [], 'may hold no day at all'],
  ] as const)('%#: %j, they $2', ([files, expected]) => {
    expect(said(files)).toEqual(expected);
  });

  test.for([
    [
      2,
      false,
      [
        'a no-refund-dates: 2 of its orders were given back, and no file says when; name one under `refundDates`',
      ],
    ],
    [2, true, []],
    [0, false, []],
  ] as const)('with %i refunds without a day, and companions: %s', ([undated, hasCompanions, expected]) => {
    expect(said([file('a', [1], { undated })], hasCompanions)).toEqual(expected);
  });
});
