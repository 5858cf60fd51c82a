import type { PeriodEvent } from '../close/periods/period-events.ts';
import type { Lock } from '../close/workspace/locks.ts';
import { type CalendarDate, formatInstant, type zoneCalendar } from '../kernel/calendar.ts';

const DIGEST_SHOWN = 12;

/** Which periods are locked, and what ever happened to periods, as a person reads it. */
export const lockLines = (locks: readonly Lock[], events: readonly PeriodEvent[]): readonly string[] => [
  ...locks.map(({ label, state, digest }) =>
    state === 'locked'
      ? `${label.padEnd(18)} locked, digest ${digest.slice(0, DIGEST_SHOWN)}`
      : `${label.padEnd(18)} to be closed: \`tieout late\` with --amend does it`,
  ),
  ...events.map(({ period, what, at, who, why }) => {
    const day = formatInstant(at).slice(0, 16).replace('T', ' ');
    const said = `${who === '' ? '' : ` by ${who}`}${why === '' ? '' : `: ${why}`}`;
    return `${period.padEnd(18)} ${what} on ${day} UTC${said}`;
  }),
];

/** The same for scripts. */
export const lockObjects = (
  locks: readonly Lock[],
  events: readonly PeriodEvent[],
): { readonly locks: readonly object[]; readonly events: readonly object[] } => ({
  locks: locks.map(({ label, period, version, state, digest }) => ({
    label,
    period,
    version,
    state,
    digest,
  })),
  events: events.map(({ at, ...event }) => ({ ...event, at: formatInstant(at) })),
});

/** The day on which a period was locked last; `undefined` of a lock that was adopted from its folder. */
export const lockDay = (
  events: readonly PeriodEvent[],
  label: string,
  calendar: ReturnType<typeof zoneCalendar>,
): CalendarDate | undefined => {
  const last = events.findLast(({ period, what }) => period === label && what === 'locked');
  return last && calendar.dateAt(last.at);
};
