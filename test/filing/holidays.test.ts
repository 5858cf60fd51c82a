import { describe, expect, test } from 'vitest';
import { observedIn } from '../../src/filing/dates.ts';
import { law } from './figures-of.ts';

/** The days the Office of Personnel Management lists as federal holidays of these years. */
const FEDERAL: Readonly<Record<number, string>> = {
  2024: '01-01 01-15 02-19 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25',
  2025: '01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25',
  2026: '01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25',
  2027: '01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24',
};

const named = (set: string, name: string) =>
  law.holidays.find((rule) => rule.set === set && rule.name === name);

describe('holidays', () => {
  test.each(Object.entries(FEDERAL))('the federal ones of %s', (year, days) => {
    const federal = law.holidays.filter(({ set }) => set === 'federal');
    expect(federal.map((rule) => observedIn(rule, Number(year))?.slice(5))).toEqual(days.split(' '));
  });

  test.each([
    ['MI', 'Election Day', 2024, '2024-11-05', 'the Tuesday after the first Monday'],
    ['MI', 'Election Day', 2025, undefined, 'in even years only'],
    ['MI', 'Election Day', 2026, '2026-11-03', 'the Tuesday after the first Monday'],
    ['MI', 'Day after Thanksgiving', 2024, '2024-11-29', 'a Friday'],
    ['MI', 'Christmas Eve', 2022, '2022-12-23', 'on a Saturday, kept on the Friday'],
    ['MI', "New Year's Eve", 2022, '2022-12-30', 'on a Saturday, kept on the Friday'],
    ['federal', 'Juneteenth National Independence Day', 2020, undefined, 'before it was law'],
    ['federal', "New Year's Day", 2028, '2027-12-31', 'a Saturday, kept in the year before'],
  ])('%s %s %i is %s: %s', (set, name, year, day, _why) => {
    const rule = named(set, name);
    expect(rule && observedIn(rule, year)).toBe(day);
  });
});
