import type { CalendarDate } from '../../kernel/calendar.ts';
import { dayForms } from '../sales/normal/date-form.ts';

/** A day of a register, as registers and spreadsheets write it; `undefined` when it is none. Figures with slashes are month, day, year. */
export const readDay = dayForms([
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
]);

/** What stands in the last column of a certificate that does not expire. */
const ENDLESS = /^(|-|none|never|n\/a|no expiration|does not expire|indefinite|until revoked)$/i;

/** The last day of a certificate, `null` for one that does not expire; `undefined` when it is neither. */
export const readLastDay = (text: string): CalendarDate | null | undefined =>
  ENDLESS.test(text) ? null : readDay(text);
