import { addDays, type CalendarDate, calendarDate, dateOf } from '../../../kernel/calendar.ts';
import { DefectError } from '../../../kernel/errors.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { DueDateRule } from '../law/due-date-rule.ts';
import { dueDateRuleFor, type FilingLaw, type Wanted } from '../law/filing-law.ts';
import type { Frequency } from '../registration.ts';
import { type BusinessDays, businessDayFrom, businessDays } from './business-days.ts';
import { observedIn } from './holidays.ts';

/** When a return is due, with the working that leads there. */
export type DueDate = {
  readonly rule: DueDateRule;
  readonly period: FilingPeriod;
  /** What the law says before weekends and holidays. */
  readonly statutory: CalendarDate;
  readonly due: CalendarDate;
  /** Why the date moved; empty when it did not. */
  readonly shiftReason: string;
  /** Until when an electronic payment must be started, in the state's own time. */
  readonly cutoff: { readonly date: CalendarDate; readonly time: string; readonly zone: string } | undefined;
  /** The steps from the period to the date, in words. */
  readonly working: readonly string[];
  readonly isVerified: boolean;
};

/** The due date of one return for a filing period. */
export const dueDateOf = (
  law: FilingLaw,
  wanted: Wanted,
  frequency: Frequency,
  period: FilingPeriod,
): DueDate => {
  const rule = dueDateRuleFor(law, wanted, frequency, period.last);
  const days = businessDays(law.holidays, ['federal', ...rule.holidays]);
  const statutory = statutoryDate(rule, period);
  const { date: due, skipped } =
    rule.shift.to === 'none' ? { date: statutory, skipped: [] } : businessDayFrom(days, statutory, 1);
  const cutoff = cutoffOf(rule, days, statutory, due);
  return {
    rule,
    period,
    statutory,
    due,
    shiftReason: skipped.join('; '),
    cutoff,
    working: [
      `The period ${period.label} ends on ${period.last}.`,
      `${inWords(rule.rule)}: ${statutory}.`,
      ...(skipped.length > 0 ? [`${skipped.join('; ')}: moved to ${due}.`] : []),
      ...(rule.shift.verified === false && skipped.length > 0
        ? [`That the date moves is not verified: to be safe, file before ${statutory}.`]
        : []),
      ...unseenHolidays(law, rule, due),
      ...(rule.cutoff && cutoff
        ? [`${rule.cutoff.what}: ${cutoff.date} ${cutoff.time} ${cutoff.zone}.`]
        : []),
      ...(rule.note === undefined ? [] : [rule.note]),
    ],
    isVerified: rule.verified !== false && (skipped.length === 0 || rule.shift.verified !== false),
  };
};

/** Holidays on the due date that were not seen in a source: they move nothing, and are worth a look. */
const unseenHolidays = ({ holidays }: FilingLaw, rule: DueDateRule, due: CalendarDate): readonly string[] =>
  holidays
    .filter(({ set, verified }) => verified === false && rule.holidays.includes(set))
    .filter((holiday) => observedIn(holiday, Number(due.slice(0, 4))) === due)
    .map(({ name }) => `${due} may be a holiday of the state (${name}); the date is not moved for it.`);

const inWords = (rule: string): string => {
  const [, days] = /^after (\d+)$/.exec(rule) ?? [];
  if (days !== undefined) return `Due ${days} days after its end`;
  const [, day, month] = /^day (\d+)(?: of (\d+))?$/.exec(rule) ?? [];
  if (month !== undefined) return `Due on day ${day} of month ${month} after it`;
  return day === undefined ? 'Due on the last day of the next month' : `Due on day ${day} of the next month`;
};

const statutoryDate = ({ rule }: DueDateRule, period: FilingPeriod): CalendarDate => {
  const monthStart = addDays(period.last, 1);
  const after = /^after (\d+)$/.exec(rule);
  if (after) return addDays(period.last, Number(after[1]));
  if (rule === 'last day') return lastDayFrom(monthStart);
  const [, day, month] = /^day (\d+)(?: of (\d+))?$/.exec(rule) ?? [];
  if (day === undefined) throw new DefectError(`${rule} is not a rule of a due date`);
  const year = Number(monthStart.slice(0, 4));
  const inMonth = month === undefined ? Number(monthStart.slice(5, 7)) : Number(month);
  return dateOf(year, inMonth, Number(day)) ?? lastDayFrom(firstDay(year, inMonth));
};

const firstDay = (year: number, month: number): CalendarDate =>
  calendarDate(`${year}-${String(month).padStart(2, '0')}-01`);

/** The last day of the month that begins on this day. */
const lastDayFrom = (first: CalendarDate): CalendarDate => {
  const month = Number(first.slice(5, 7));
  const year = Number(first.slice(0, 4));
  return addDays(month === 12 ? firstDay(year + 1, 1) : firstDay(year, month + 1), -1);
};

const cutoffOf = (
  { cutoff }: DueDateRule,
  days: BusinessDays,
  statutory: CalendarDate,
  due: CalendarDate,
): DueDate['cutoff'] => {
  if (!cutoff) return undefined;
  const { time, zone } = cutoff;
  const before = (date: CalendarDate): CalendarDate => businessDayFrom(days, addDays(date, -1), -1).date;
  const date = {
    'due date': due,
    'business day before': before(due),
    'business day before statutory': before(statutory),
    'last business day': businessDayFrom(days, lastDayFrom(firstDay(yearOf(due), monthOf(due))), -1).date,
  }[cutoff.day];
  return { date, time, zone };
};

const yearOf = (date: CalendarDate): number => Number(date.slice(0, 4));
const monthOf = (date: CalendarDate): number => Number(date.slice(5, 7));
