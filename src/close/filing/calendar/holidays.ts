import { addDays, type CalendarDate, calendarDate, dateOf } from '../../../kernel/calendar.ts';
import { DefectError } from '../../../kernel/errors.ts';
import type { HolidayRule } from '../law/holiday-rule.ts';
import { isInForce } from '../law/law-row.ts';

export const SUNDAY = 0;
export const SATURDAY = 6;
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** 0 is Sunday, 6 is Saturday. */
export const weekdayOf = (date: CalendarDate): number => new Date(`${date}T00:00:00Z`).getUTCDay();

/** The days of a year on which a holiday is kept: as a rule one; none where it was not in force yet. */
export const observedIn = (rule: HolidayRule, year: number): CalendarDate | undefined => {
  const day = dayIn(rule.rule, year);
  return day !== undefined && isInForce(rule, day) ? observed(rule, day) : undefined;
};

const observed = (rule: HolidayRule, day: CalendarDate): CalendarDate => {
  const weekday = weekdayOf(day);
  if (weekday === SATURDAY)
    return addDays(day, { friday: -1, thursday: -2, monday: 2, none: 0 }[rule.saturday]);
  return weekday === SUNDAY ? addDays(day, { monday: 1, friday: -2, none: 0 }[rule.sunday]) : day;
};

const dayIn = (rule: string, year: number): CalendarDate | undefined => {
  if (rule === 'election') return year % 2 === 0 ? addDays(nthWeekday(year, 11, '1', 'mon'), 1) : undefined;
  const fixed = /^(\d{2})-(\d{2})$/.exec(rule);
  if (fixed) return dateOf(year, Number(fixed[1]), Number(fixed[2]));
  const easter = /^easter-(\d)$/.exec(rule);
  if (easter) return addDays(easterSunday(year), -Number(easter[1]));
  const [, after, which = '', weekday = '', month] = /^(after )?(\d|last) (\w{3}) (\d+)$/.exec(rule) ?? [];
  if (month === undefined) throw new DefectError(`${rule} is not a holiday rule`);
  const day = nthWeekday(year, Number(month), which, weekday);
  return after === undefined ? day : addDays(day, 1);
};

const nthWeekday = (year: number, month: number, which: string, weekday: string): CalendarDate => {
  const wanted = WEEKDAYS.indexOf(weekday);
  const first = firstOfMonth(year, month);
  if (which !== 'last') {
    return addDays(first, ((wanted - weekdayOf(first) + 7) % 7) + (Number(which) - 1) * 7);
  }
  const last = addDays(month === 12 ? firstOfMonth(year + 1, 1) : firstOfMonth(year, month + 1), -1);
  return addDays(last, -((weekdayOf(last) - wanted + 7) % 7));
};

const firstOfMonth = (year: number, month: number): CalendarDate =>
  calendarDate(`${year}-${String(month).padStart(2, '0')}-01`);

/** The Gregorian computus, in the anonymous form of 1876 that Butcher printed. */
const easterSunday = (year: number): CalendarDate => {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const moon =
    (19 * golden +
      century -
      Math.floor(century / 4) -
      Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3) +
      15) %
    30;
  const sunday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - moon - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * moon + 22 * sunday) / 451);
  const days = moon + sunday - 7 * late + 114;
  return addDays(firstOfMonth(year, Math.floor(days / 31)), days % 31);
};
