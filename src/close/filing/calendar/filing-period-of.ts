import { addDays, type CalendarDate, calendarDate } from '../../../kernel/calendar.ts';
import { DefectError } from '../../../kernel/errors.ts';
import { type FilingPeriod, monthIndex, monthName, parsePeriod } from '../../../kernel/period.ts';
import type { Frequency } from '../registration.ts';

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
  const begin = month - ((((month - (firstMonth - 1)) % length) + length) % length);
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
  if (!period) throw new DefectError(`${short} is not a period`);
  return period.first === first && period.last === last ? short : `${first.slice(0, 7)}..${last.slice(0, 7)}`;
};
