import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dueDateOf, filingPeriodOf, observedIn, weekdayOf } from '../../src/filing/dates.ts';
import { dueDateRuleFor } from '../../src/filing/load-filing-law.ts';
import { FREQUENCIES } from '../../src/filing/registration.ts';
import { addDays, calendarDate } from '../../src/kernel/calendar.ts';
import { law, ofState, periodOf } from './figures-of.ts';

describe('due dates', () => {
  test.each([
    ['TX', 'monthly', '2026-05', '2026-06-20', '2026-06-22', 'a Saturday: Monday'],
    ['NJ', 'monthly', '2024-12', '2025-01-20', '2025-01-21', 'Martin Luther King day: Tuesday'],
    ['TX', 'quarterly', '2026-Q4', '2027-01-20', '2027-01-20', 'a quarter'],
    ['OH', 'monthly', '2026-07', '2026-08-23', '2026-08-24', 'a Sunday: Monday'],
    ['WA', 'monthly', '2026-11', '2026-12-25', '2026-12-28', 'Christmas on a Friday: Monday'],
    ['CA', 'quarterly', '2026-Q3', '2026-10-31', '2026-11-02', 'the last day is a Saturday: Monday'],
    ['MA', 'monthly', '2026-01', '2026-03-02', '2026-03-02', '30 days after January end in March'],
    ['MA', 'monthly', '2027-12', '2028-01-30', '2028-01-31', '30 days after, and a Sunday'],
    ['MA', 'monthly', '2021-03', '2021-04-20', '2021-04-20', 'the rule before April 2021'],
    ['MN', 'annual', '2026', '2027-02-05', '2027-02-05', 'February of the next year'],
    ['MI', 'annual', '2026', '2027-02-28', '2027-03-01', 'a Sunday'],
    ['CT', 'monthly', '2027-11', '2027-12-31', '2028-01-03', 'New Year’s Day kept on a Friday'],
    ['WI', 'monthly', '2027-11', '2027-12-31', '2027-12-31', 'a state that does not keep it on a Friday'],
    ['CA', 'monthly', '2027-11', '2027-12-31', '2027-12-31', 'a state that keeps only November 11 so'],
    ['WI', 'monthly', '2022-11', '2022-12-31', '2023-01-03', 'New Year’s Day, a Sunday, kept on Monday'],
    ['WI', 'monthly', '2026-01', '2026-02-28', '2026-03-02', 'the last day of February'],
    ['NY', 'quarterly', '2026-09..2026-11', '2026-12-20', '2026-12-21', 'a quarter of New York'],
    ['SC', 'monthly', '2026-10', '2026-11-20', '2026-11-20', 'a state that is not mapped'],
  ] as const)('%s %s %s: %s, due %s, for %s', (state, frequency, period, statutory, due, _why) => {
    const found = dueDateOf({ ...ofState(state), frequency }, periodOf(period));
    expect([found.statutory, found.due]).toEqual([statutory, due]);
  });

  test('the working says why the date moved', () => {
    const { working, isVerified } = dueDateOf(
      { ...ofState('WA'), frequency: 'monthly' },
      periodOf('2026-11'),
    );
    expect(working.slice(0, 2)).toEqual([
      'Due on day 25 of the next month: 2026-12-25.',
      '2026-12-25 is Christmas Day; 2026-12-26 is a Saturday; 2026-12-27 is a Sunday: moved to 2026-12-28.',
    ]);
    expect(isVerified).toBe(true);
  });

  test.each([
    ['FL', 'monthly', '2026-10', '2026-11-19 17:00 America/New_York', 'Thursday before Friday the 20th'],
    [
      'FL',
      'monthly',
      '2026-05',
      '2026-06-18 17:00 America/New_York',
      'the 19th is Juneteenth, the 20th a Saturday',
    ],
    ['AZ', 'monthly', '2026-10', '2026-11-30 17:00 America/Phoenix', 'the last business day of the month'],
    ['AZ', 'monthly', '2026-09', '2026-10-30 17:00 America/Phoenix', 'the 31st is a Saturday'],
    [
      'TN',
      'monthly',
      '2026-05',
      '2026-06-18 23:59 America/Chicago',
      'before Monday 22 June; Friday is Juneteenth',
    ],
    ['NJ', 'monthly', '2026-10', '2026-11-20 23:59 America/New_York', 'the due date itself'],
  ] as const)('%s %s %s: money must be on its way by %s: %s', (state, frequency, period, cutoff, _why) => {
    const found = dueDateOf({ ...ofState(state), frequency }, periodOf(period)).cutoff;
    expect(`${found?.date} ${found?.time} ${found?.zone}`).toBe(cutoff);
  });

  test('a date that moves by a rule no one saw says which day is safe', () => {
    const found = dueDateOf({ ...ofState('VA'), frequency: 'monthly' }, periodOf('2026-05'));
    expect(found.isVerified).toBe(false);
    expect(found.working.join(' ')).toContain('to be safe, file before 2026-06-20');
  });

  test('no due date is a weekend or a federal holiday, and none comes before the law’s own date', () => {
    const states = [...new Set(law.dueDates.map(({ state }) => state))].map((s) => (s === '*' ? 'UT' : s));
    const federal = law.holidays.filter(({ set }) => set === 'federal');
    fc.assert(
      fc.property(
        fc.constantFrom(...states),
        fc.constantFrom(...FREQUENCIES),
        fc.integer({ min: 0, max: 4 * 366 }),
        (state, frequency, days) => {
          const day = addDays(calendarDate('2024-01-01'), days);
          const { firstMonth, shift } = dueDateRuleFor({ ...ofState(state), frequency }, day);
          const { due, statutory } = dueDateOf(
            { ...ofState(state), frequency },
            filingPeriodOf(day, frequency, firstMonth),
          );
          const year = Number(due.slice(0, 4));
          expect([0, 6]).not.toContain(weekdayOf(due));
          const kept = federal.flatMap((rule) => [observedIn(rule, year), observedIn(rule, year + 1)]);
          // A state may not keep a holiday on the Friday before its Saturday.
          if (weekdayOf(due) !== 5 || shift.federalFridays) expect(kept).not.toContain(due);
          expect(due >= statutory).toBe(true);
        },
      ),
    );
  });
});
