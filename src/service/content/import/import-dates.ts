import { addDays, calendarDate, parseDate } from '../../../kernel/calendar.ts';
import { ContentRefusedError } from '../content-error.ts';
import type { FilePeriod } from './parsed-file.ts';

/** Years from this one on mean that a row has no end. */
const OPEN_YEAR = 2099;

/** A `YYYYMMDD` day as `YYYY-MM-DD`. @throws {ContentRefusedError} when it is not a day */
export const compactDate = (text: string, place: string): string => {
  const date = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
  if (!/^\d{8}$/.test(text) || parseDate(date) === undefined) {
    throw new ContentRefusedError(place, `${text || 'an empty cell'} is not a day (YYYYMMDD)`);
  }
  return date;
};

/** The last day of a row; empty for the years that stand for no end. */
export const compactEnd = (text: string, place: string): string => {
  if (/^\d{8}$/.test(text) && Number(text.slice(0, 4)) >= OPEN_YEAR) return '';
  return compactDate(text, place);
};

export const dayBefore = (date: string): string => addDays(calendarDate(date), -1);
export const dayAfter = (date: string): string => addDays(calendarDate(date), 1);

/** A quarter of a year. */
export const quarterOf = (year: number, quarter: number): FilePeriod => {
  const month = (quarter - 1) * 3 + 1;
  const first = `${year}-${String(month).padStart(2, '0')}-01`;
  const next = quarter === 4 ? `${year + 1}-01-01` : `${year}-${String(month + 3).padStart(2, '0')}-01`;
  return { label: `${year}Q${quarter}`, first, last: dayBefore(next) };
};
