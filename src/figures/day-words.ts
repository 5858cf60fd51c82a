import type { CalendarDate } from '../kernel/calendar.ts';

const format = (options: Intl.DateTimeFormatOptions) => {
  const words = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
  return (date: CalendarDate): string => words.format(new Date(`${date}T00:00:00Z`));
};

/** `Nov 20` */
export const shortDay = format({ month: 'short', day: 'numeric' });
/** `November 20` */
export const longDay = format({ month: 'long', day: 'numeric' });
/** `Fri, Nov 20, 2026` */
export const weekDay = format({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });
/** `Nov 20, 2026` */
export const fullDay = format({ month: 'short', day: 'numeric', year: 'numeric' });

const monthYear = format({ month: 'long', year: 'numeric' });

/** Formats a month as `October 2026`; other periods keep their label. */
export const periodName = (label: string): string =>
  /^\d{4}-\d{2}$/.test(label) ? monthYear(`${label}-01` as CalendarDate) : label;

/** Formats `17:00` as `5:00 PM`. */
const hourText = (time: string): string => {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return `${hour % 12 === 0 ? 12 : hour % 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
};

/** Formats a time with its zone: `5:00 PM ET`. */
export const hourWords = ({ time, zone }: { readonly time: string; readonly zone: string }): string =>
  `${hourText(time)} ${zoneName(zone)}`;

/** Returns the short name of a zone: `ET` for `America/New_York`. */
export const zoneName = (zone: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'shortGeneric' })
    .formatToParts(0)
    .find(({ type }) => type === 'timeZoneName')?.value ?? zone;

/** Follows a date that was not seen in a source. */
export const verifiedWords = ({ isVerified }: { readonly isVerified: boolean }): string =>
  isVerified ? '' : ', not verified';
