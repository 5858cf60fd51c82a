import { addDays, type CalendarDate } from '../../../kernel/calendar.ts';
import type { HolidayRule } from '../law/holiday-rule.ts';
import { observedIn, SATURDAY, SUNDAY, weekdayOf } from './holidays.ts';

/** Which days are none on which a return is due. */
export type BusinessDays = {
  /** Why a day is not a business day, such as `Saturday` or `Christmas Day`; `undefined` when it is one. */
  readonly closedFor: (date: CalendarDate) => string | undefined;
};

/**
 * The business days of one state: no weekends, no holidays of the sets named. Holidays that were not seen in a source
 * do not count: they could only make a date later than it is.
 */
export const businessDays = (holidays: readonly HolidayRule[], sets: readonly string[]): BusinessDays => {
  const rules = holidays.filter((rule) => sets.includes(rule.set) && rule.verified !== false);
  const byYear = new Map<number, ReadonlyMap<string, string>>();
  const ofYear = (year: number): ReadonlyMap<string, string> => {
    const known = byYear.get(year);
    if (known) return known;
    const named = new Map<string, string>();
    for (const rule of rules) {
      // New Year's Day of the next year can be kept on the last day of this one.
      for (const each of [year, year + 1]) {
        const day = observedIn(rule, each);
        if (day?.startsWith(`${year}-`) && !named.has(day)) named.set(day, rule.name);
      }
    }
    byYear.set(year, named);
    return named;
  };
  return {
    closedFor: (date) => {
      const weekday = weekdayOf(date);
      if (weekday === SATURDAY) return 'Saturday';
      if (weekday === SUNDAY) return 'Sunday';
      return ofYear(Number(date.slice(0, 4))).get(date);
    },
  };
};

/** The nearest business day from a day on, in one direction; the day itself when it is one. */
export const businessDayFrom = (
  days: BusinessDays,
  date: CalendarDate,
  step: 1 | -1,
): { readonly date: CalendarDate; readonly skipped: readonly string[] } => {
  const skipped: string[] = [];
  let day = date;
  for (let reason = days.closedFor(day); reason !== undefined; reason = days.closedFor(day)) {
    skipped.push(`${day} is ${/day$/.test(reason) && reason.length < 9 ? 'a ' : ''}${reason}`);
    day = addDays(day, step);
  }
  return { date: day, skipped };
};
