import { join } from 'node:path';
import * as z from 'zod';
import type { CalendarDate } from '../kernel/calendar.ts';
import { type FilingPeriod, parseVersion } from '../kernel/period.ts';
import { zoneCalendar } from '../kernel/time-zones.ts';
import type { ClosePorts } from './close-ports.ts';

/** Returns the folder for the workbooks and the evidence of a period. */
export const periodFolder = (
  { output, configuration }: Pick<ClosePorts, 'output' | 'configuration'>,
  period: Pick<FilingPeriod, 'label'>,
): string => join(output, configuration.entity, period.label);

/** Follows the state of books that may still miss sales. */
export const PRELIMINARY = 'preliminary: the period is not over';

type Clocked = Pick<ClosePorts, 'configuration' | 'clock'>;

/** Returns today in the seller's time zone. */
export const todayOf = ({ configuration, clock }: Clocked): CalendarDate =>
  zoneCalendar(configuration.timeZone).dateAt(clock.now());

/** Returns today in the seller's time zone if the period is not over; otherwise `undefined`. */
export const dayBeforeEnd = (
  ports: Clocked,
  { last }: Pick<FilingPeriod, 'last'>,
): CalendarDate | undefined => {
  const today = todayOf(ports);
  return last < today ? undefined : today;
};

/** Returns a message for a period that is not over in the seller's time zone; otherwise `undefined`. */
export const runningPeriod = (ports: Clocked, { label, first, last }: FilingPeriod): string | undefined => {
  const today = dayBeforeEnd(ports, { last });
  if (today === undefined) return undefined;
  const why = today < first ? `begins on ${first}` : `ends on ${last}`;
  return `${label} ${why}, and today is ${today}: these books are preliminary; close it again after its last day`;
};

/** Says why the books of a period are out of date: `2026-09, on which it builds, was closed again since`. */
export const outdatedText = (before: string): string =>
  `${before}, on which it builds, was closed again since`;

/**
 * A filing period as a person writes it: `2026-10`, `2026-Q3`, `2026-H1`, `2026` or `2026-10..2027-03`; or an amended
 * version of one, `2026-10-amended-1`.
 */
export const PeriodParam = z.string().transform((text, context): FilingPeriod => {
  const period = parseVersion(text);
  if (period) return period;
  context.issues.push({ code: 'custom', input: text, message: 'is not a filing period' });
  return z.NEVER;
});
