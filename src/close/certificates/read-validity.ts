import { type CalendarDate, calendarDate } from '../../kernel/calendar.ts';
import { dateForm } from '../sales/normal/date-form.ts';

/** How days are written in registers and in the cells of spreadsheets. Figures with slashes are month, day, year. */
const FORMS = [
  'yyyy-MM-dd',
  'yyyy/MM/dd',
  'M/d/yyyy',
  'M/d/yy',
  'd-MMM-yyyy',
  'd-MMM-yy',
  'MMM d, yyyy',
  'MMMM d, yyyy',
  'yyyy-MM-dd HH:mm(:ss)',
  'M/d/yyyy H:mm(:ss)',
].map(dateForm);

/** What stands in the last column of a certificate that does not expire. */
const ENDLESS = /^(|-|none|never|n\/a|no expiration|does not expire|indefinite|until revoked)$/i;

/** A day of a register; `undefined` when it is none. */
export const readDay = (text: string): CalendarDate | undefined => {
  for (const form of FORMS) {
    const parts = form(text);
    if (parts) return calendarDate(parts.date);
  }
  return undefined;
};

/** The last day of a certificate, `null` for one that does not expire; `undefined` when it is neither. */
export const readLastDay = (text: string): CalendarDate | null | undefined =>
  ENDLESS.test(text) ? null : readDay(text);
