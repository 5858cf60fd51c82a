import type { WaitingLate } from '../close/periods/waiting-late.ts';
import type { Lock } from '../close/workspace/locks.ts';
import type { PeriodEvent } from '../close/workspace/period-events.ts';
import { type CalendarDate, formatInstant, type zoneCalendar } from '../kernel/calendar.ts';

const DIGEST_SHOWN = 12;
const RECORDS_SHOWN_MAX = 5;

/** Lists for people the locked periods, their late items, and the history of all periods. */
export const lockLines = (
  locks: readonly Lock[],
  late: readonly WaitingLate[],
  events: readonly PeriodEvent[],
): readonly string[] => [
  ...locks.flatMap(({ label, state, digest }) =>
    state === 'locked'
      ? [
          `${label.padEnd(18)} locked, digest ${digest.slice(0, DIGEST_SHOWN)}`,
          ...late.filter(({ period }) => period === label).flatMap(waitingLines),
        ]
      : [`${label.padEnd(18)} to be closed: \`tieout late\` with --amend does it`],
  ),
  ...events.map(({ period, what, at, who, why }) => {
    const day = formatInstant(at).slice(0, 16).replace('T', ' ');
    const said = `${who === '' ? '' : ` by ${who}`}${why === '' ? '' : `: ${why}`}`;
    return `${period.padEnd(18)} ${what} on ${day} UTC${said}`;
  }),
];

const waitingLines = ({
  period,
  undecided,
  carried,
  nextOpen,
  filedSince,
}: WaitingLate): readonly string[] => [
  ...filedSince.map(
    (label) =>
      `${' '.repeat(18)} its returns are out of date: ${label} was filed since; \`tieout late ${period} --amend\` files them again`,
  ),
  ...[
    { records: undecided, fate: 'to be decided' },
    { records: carried, fate: `to be filed with the period that begins on ${nextOpen}` },
  ].flatMap(({ records, fate }) => {
    if (records.length === 0) return [];
    const more = records.length - RECORDS_SHOWN_MAX;
    const named = [...records.slice(0, RECORDS_SHOWN_MAX), ...(more > 0 ? [`and ${more} more`] : [])];
    return [`${' '.repeat(18)} came late, ${fate}: ${named.join(', ')}`];
  }),
];

/** Returns the same information as JSON. */
export const lockObjects = (
  locks: readonly Lock[],
  late: readonly WaitingLate[],
  events: readonly PeriodEvent[],
): { readonly locks: readonly object[]; readonly events: readonly object[] } => ({
  locks: locks.map(({ label, period, version, state, digest }) => ({
    label,
    period,
    version,
    state,
    digest,
    late: lateObject(late.find((waiting) => waiting.period === label)),
  })),
  events: events.map(({ at, ...event }) => ({ ...event, at: formatInstant(at) })),
});

const lateObject = (waiting: WaitingLate | undefined): object => ({
  undecided: waiting?.undecided ?? [],
  carried: waiting?.carried ?? [],
  filed_since: waiting?.filedSince ?? [],
});

/** Returns the day on which a period was last locked; `undefined` for a lock that was adopted from its folder. */
export const lockDay = (
  events: readonly PeriodEvent[],
  label: string,
  calendar: ReturnType<typeof zoneCalendar>,
): CalendarDate | undefined => {
  const last = events.findLast(({ period, what }) => period === label && what === 'locked');
  return last && calendar.dateAt(last.at);
};
