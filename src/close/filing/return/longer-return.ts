import { addDays, type CalendarDate } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { type DueDate, dueDateOf } from '../calendar/due-date-of.ts';
import { filingPeriodOf } from '../calendar/filing-period-of.ts';
import { dueDateRuleFor, type FilingLaw, formFor, type Wanted } from '../law/filing-law.ts';
import { inForce } from '../law/law-row.ts';
import type { Frequency } from '../registration.ts';

/** The return of a longer period that completes the returns of a registration. */
export type LongerReturn = {
  readonly form: string;
  readonly frequency: Frequency;
  readonly dueDate: DueDate;
};

/** Returns the longer return that completes the one of a period that ends on this day, with its due date. */
export const longerReturn = (
  law: FilingLaw,
  wanted: Wanted,
  own: Frequency,
  last: CalendarDate,
): LongerReturn | undefined => {
  const { completedBy } = formFor(law, wanted, own, last);
  const row = completedBy && inForce([completedBy], last);
  if (!row) return undefined;
  const { frequency, form } = row;
  const period = periodOn(law, wanted, frequency, last);
  return { form, frequency, dueDate: dueDateOf(law, wanted, frequency, period) };
};

/** Returns the longer return if a closed period is exactly its own: then that is the return to file from the close. */
export const completedIn = (
  law: FilingLaw,
  wanted: Wanted,
  own: Frequency,
  closed: Pick<FilingPeriod, 'first' | 'last'>,
): LongerReturn | undefined => {
  const longer = longerReturn(law, wanted, own, closed.last);
  const period = longer?.dueDate.period;
  return period?.first === closed.first && period.last === closed.last ? longer : undefined;
};

/** Lists the shorter periods within a longer one, oldest first. */
export const shorterPeriods = (
  law: FilingLaw,
  wanted: Wanted,
  own: Frequency,
  { first, last }: Pick<FilingPeriod, 'first' | 'last'>,
): readonly FilingPeriod[] => {
  const periods: FilingPeriod[] = [];
  for (let day = first; day <= last; ) {
    const period = periodOn(law, wanted, own, day);
    periods.push(period);
    day = addDays(period.last, 1);
  }
  return periods;
};

/** Whether a return can be required for a period that ends on this day. */
export const canBeRequired = (
  law: FilingLaw,
  wanted: Wanted,
  own: Frequency,
  last: CalendarDate,
): boolean => {
  const { required } = formFor(law, wanted, own, last);
  const rule = required && inForce([required], last);
  return rule === undefined || rule.months.includes(Number(last.slice(5, 7)));
};

const periodOn = (law: FilingLaw, wanted: Wanted, frequency: Frequency, day: CalendarDate): FilingPeriod =>
  filingPeriodOf(day, frequency, dueDateRuleFor(law, wanted, frequency, day).firstMonth);
