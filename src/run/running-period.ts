import type { CalendarDate } from '../kernel/calendar.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { zoneCalendar } from '../kernel/time-zones.ts';
import type { ClosePorts } from './close-ports.ts';

/** Follows the state of books that may still miss sales. */
export const PRELIMINARY = 'preliminary: the period is not over';

type Clocked = Pick<ClosePorts, 'configuration' | 'clock'>;

/** Returns today in the seller's time zone if the period is not over; otherwise `undefined`. */
export const dayBeforeEnd = (
  { configuration, clock }: Clocked,
  { last }: Pick<FilingPeriod, 'last'>,
): CalendarDate | undefined => {
  const today = zoneCalendar(configuration.timeZone).dateAt(clock.now());
  return last < today ? undefined : today;
};

/** Returns a message for a period that is not over in the seller's time zone; otherwise `undefined`. */
export const runningPeriod = (ports: Clocked, { label, first, last }: FilingPeriod): string | undefined => {
  const today = dayBeforeEnd(ports, { last });
  if (today === undefined) return undefined;
  const why = today < first ? `begins on ${first}` : `ends on ${last}`;
  return `${label} ${why}, and today is ${today}: these books are preliminary; close it again after its last day`;
};
