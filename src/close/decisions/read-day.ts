import { type CalendarDate, calendarDate } from '../../kernel/calendar.ts';
import { dateForm } from '../sales/normal/date-form.ts';

/** How spreadsheet programs write a day. Of figures with slashes the month comes first, unless it cannot. */
const FORMS = [
  'yyyy-MM-dd',
  'yyyy/MM/dd',
  'M/d/yyyy',
  'M/d/yy',
  'd/M/yyyy',
  'd.M.yyyy',
  'd.M.yy',
  'd-MMM-yyyy',
  'd-MMM-yy',
  'd MMM yyyy',
  'd MMMM yyyy',
  'MMM d, yyyy',
  'MMMM d, yyyy',
  'yyyy-MM-dd HH:mm(:ss)',
].map(dateForm);

/** The day that a cell means; `undefined` when it is none. */
export const readDay = (text: string): CalendarDate | undefined => {
  for (const form of FORMS) {
    const parts = form(text);
    if (parts) return calendarDate(parts.date);
  }
  return undefined;
};
