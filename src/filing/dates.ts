import { addDays, type CalendarDate, calendarDate, dateOf } from '../kernel/calendar.ts';
import { DefectError } from '../kernel/errors.ts';
import { type FilingPeriod, monthIndex, monthName, parsePeriod } from '../kernel/period.ts';
import { textsIn } from '../kernel/text.ts';
import type { DueDateRule, HolidayRule } from './filing-law.ts';
import { isInForce } from './law-row.ts';
import { dueDateRuleFor, loadFilingLaw, type Wanted } from './load-filing-law.ts';
import type { Frequency } from './registration.ts';

/** The due date of a return, with the steps that lead to it. */
export type DueDate = ReturnType<typeof dueDateOf>;

/** Computes the due date of one return for a filing period. A holiday that is not verified moves no date. */
export const dueDateOf = (wanted: Wanted, period: FilingPeriod) => {
  const rule = dueDateRuleFor(wanted, period.last);
  const days = businessDays(rule, rule.shift.federalFridays);
  const statutory = statutoryDate(rule, period);
  const { date: due, skipped } =
    rule.shift.to === 'none' ? { date: statutory, skipped: [] } : businessDayFrom(days, statutory, 1);
  const isDoubtful = rule.shift.verified === false && skipped.length > 0;
  // For a payment the earlier day is the safe one.
  const cutoff = cutoffOf(rule, businessDays(rule, true), statutory, due);
  return {
    period,
    /** The date by law, before weekends and holidays are considered. */
    statutory,
    due,
    /** The latest start of an electronic payment, in the state's own time. */
    cutoff,
    /** The steps from the period to the date, in words. */
    working: textsIn([
      `${inWords(rule.rule)}: ${statutory}.`,
      skipped.length > 0 && `${skipped.join('; ')}: moved to ${due}.`,
      isDoubtful && `That the date moves is not verified: to be safe, file before ${statutory}.`,
      cutoff && `${rule.cutoff?.what}: ${cutoff.date} ${cutoff.time} ${cutoff.zone}.`,
      rule.note,
    ]),
    isVerified: rule.verified !== false && !isDoubtful,
  };
};

/** Whether a holiday is observed on a day. New Year's Day can be observed on the last day of the year before. */
const observedOn = (holiday: HolidayRule, day: CalendarDate): boolean => {
  const year = Number(day.slice(0, 4));
  return observedIn(holiday, year) === day || observedIn(holiday, year + 1) === day;
};

/** When a return is due: `Due on day 20 of the next month`. */
export const inWords = ({ after, day, month }: DueDateRule['rule']): string => {
  if (after !== undefined) return `Due ${after} days after its end`;
  if (day === undefined) return 'Due on the last day of the next month';
  return month === undefined
    ? `Due on day ${day} of the next month`
    : `Due on day ${day} of month ${month} after it`;
};

const statutoryDate = ({ rule }: DueDateRule, period: FilingPeriod): CalendarDate => {
  if (rule.after !== undefined) return addDays(period.last, rule.after);
  const next = addDays(period.last, 1);
  const year = Number(next.slice(0, 4));
  const month = rule.month ?? Number(next.slice(5, 7));
  const onDay = rule.day === undefined ? undefined : dateOf(year, month, rule.day);
  return onDay ?? lastOfMonth(year * 12 + month - 1);
};

const cutoffOf = ({ cutoff }: DueDateRule, days: ClosedFor, statutory: CalendarDate, due: CalendarDate) => {
  if (!cutoff) return undefined;
  const { time, zone } = cutoff;
  const before = (date: CalendarDate): CalendarDate => businessDayFrom(days, addDays(date, -1), -1).date;
  const date = {
    'due date': due,
    'business day before': before(due),
    'business day before statutory': before(statutory),
    'last business day': businessDayFrom(days, lastOfMonth(monthIndex(due)), -1).date,
  }[cutoff.day];
  return { date, time, zone };
};

/** Why a day is not a business day, such as `Saturday` or `Christmas Day`; `undefined` for a business day. */
type ClosedFor = (date: CalendarDate) => string | undefined;

/**
 * Builds the business days of one state: not weekends, and not federal holidays or those of its sets. Unverified holidays
 * are not considered, because they could only make a date later than it is.
 *
 * @param federalFridays whether the Friday before counts where a federal holiday is a Saturday
 */
const businessDays = ({ holidays: sets }: DueDateRule, federalFridays: boolean): ClosedFor => {
  const rules = loadFilingLaw()
    .holidays.filter((rule) => rule.set === 'federal' || sets.includes(rule.set))
    .filter(({ verified }) => verified !== false)
    .map((rule) =>
      rule.set === 'federal' && !federalFridays ? { ...rule, saturday: 'none' as const } : rule,
    );
  return (date) => {
    const weekday = weekdayOf(date);
    if (weekday === SATURDAY) return 'Saturday';
    if (weekday === SUNDAY) return 'Sunday';
    return rules.find((rule) => observedOn(rule, date))?.name;
  };
};

/** Returns the nearest business day in one direction; the day itself if it is one. */
const businessDayFrom = (
  closedFor: ClosedFor,
  date: CalendarDate,
  step: 1 | -1,
): {
  readonly date: CalendarDate;
  readonly skipped: readonly string[];
} => {
  const skipped: string[] = [];
  let day = date;
  for (let reason = closedFor(day); reason !== undefined; reason = closedFor(day)) {
    skipped.push(`${day} is ${/day$/.test(reason) && reason.length < 9 ? 'a ' : ''}${reason}`);
    day = addDays(day, step);
  }
  return { date: day, skipped };
};

const SUNDAY = 0;
const SATURDAY = 6;
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** 0 is Sunday, 6 is Saturday. */
export const weekdayOf = (date: CalendarDate): number => new Date(`${date}T00:00:00Z`).getUTCDay();

/** Returns the day of a year on which a holiday is observed; `undefined` if there is none or it is not in force. */
export const observedIn = (rule: HolidayRule, year: number): CalendarDate | undefined => {
  const day = dayIn(rule.rule, year);
  return day !== undefined && isInForce(rule, day) ? observed(rule, day) : undefined;
};

const observed = (rule: HolidayRule, day: CalendarDate): CalendarDate => {
  const weekday = weekdayOf(day);
  if (weekday === SATURDAY) return rule.saturday === 'friday' ? addDays(day, -1) : day;
  return weekday === SUNDAY ? addDays(day, rule.sunday === 'monday' ? 1 : -2) : day;
};

const dayIn = (rule: string, year: number): CalendarDate | undefined => {
  if (rule === 'election') return year % 2 === 0 ? addDays(nthWeekday(year, 11, '1', 'mon'), 1) : undefined;
  const fixed = /^(\d{2})-(\d{2})$/.exec(rule);
  if (fixed) return dateOf(year, Number(fixed[1]), Number(fixed[2]));
  const [, after, which = '', weekday = '', month] = /^(after )?(\d|last) (\w{3}) (\d+)$/.exec(rule) ?? [];
  if (month === undefined) throw new DefectError(`${rule} is not a holiday rule`);
  const day = nthWeekday(year, Number(month), which, weekday);
  return after === undefined ? day : addDays(day, 1);
};

const nthWeekday = (year: number, month: number, which: string, weekday: string): CalendarDate => {
  const wanted = WEEKDAYS.indexOf(weekday);
  const index = year * 12 + month - 1;
  const first = firstOfMonth(index);
  if (which !== 'last') {
    return addDays(first, ((wanted - weekdayOf(first) + 7) % 7) + (Number(which) - 1) * 7);
  }
  const last = lastOfMonth(index);
  return addDays(last, -((weekdayOf(last) - wanted + 7) % 7));
};

export const MONTHS = { monthly: 1, quarterly: 3, semiannual: 6, annual: 12 } as const;

/**
 * Returns the filing period that contains a day. Quarters follow the state: if its year begins in March, they end in
 * May, August, November and February. Calendar periods have short labels; others list their months.
 */
export const filingPeriodOf = (
  date: CalendarDate,
  frequency: Frequency,
  firstMonth: number,
): FilingPeriod => {
  const length = MONTHS[frequency];
  const month = monthIndex(date);
  const begin = month - ((month - (firstMonth - 1)) % length);
  const first = firstOfMonth(begin);
  const last = lastOfMonth(begin + length - 1);
  return { label: labelOf(first, last, frequency), first, last };
};

export const firstOfMonth = (index: number): CalendarDate => calendarDate(`${monthName(index)}-01`);

export const lastOfMonth = (index: number): CalendarDate => addDays(firstOfMonth(index + 1), -1);

const labelOf = (first: CalendarDate, last: CalendarDate, frequency: Frequency): string => {
  const year = first.slice(0, 4);
  const month = Number(first.slice(5, 7));
  const short = {
    monthly: first.slice(0, 7),
    quarterly: `${year}-Q${Math.ceil(month / 3)}`,
    semiannual: `${year}-H${month < 7 ? 1 : 2}`,
    annual: year,
  }[frequency];
  const period = parsePeriod(short);
  return period?.first === first && period.last === last
    ? short
    : `${first.slice(0, 7)}..${last.slice(0, 7)}`;
};
