import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import { frequencyOn } from '../configuration/registration.ts';
import type { Remittance } from '../figures/period-report.ts';
import { type DueDate, dueDateOf } from '../filing/dates.ts';
import { formFor, type Wanted } from '../filing/filing-law.ts';
import { loadFilingLaw } from '../filing/load-filing-law.ts';
import type { Frequency } from '../filing/registration.ts';
import { canBeRequired, longerReturn, shorterPeriods } from '../filing/return-of.ts';
import { returnKey } from '../filing/state-figures.ts';
import { type CalendarDate, calendarDate } from '../kernel/calendar.ts';
import { type FilingPeriod, monthsOf } from '../kernel/period.ts';
import type { PublishedPeriod } from './folders.ts';

type Registration = LoadedConfiguration['registrations'][number];
type Days = Pick<FilingPeriod, 'first' | 'last'>;

/**
 * A return of a period that is over, which no folder has: its period was not closed, although a closed one has its last
 * day, or it was locked without the return, because the registration came later.
 */
export type UnclosedReturn = {
  readonly key: string;
  readonly form: string;
  readonly dueDate: DueDate;
  readonly isLockedOut: boolean;
};

/** Returns the months between closed periods of which no day was ever closed: usually a run that failed unnoticed. */
export const unclosedMonths = (closed: readonly FilingPeriod[]): readonly FilingPeriod[] => {
  const [earliest] = closed;
  if (!earliest) return [];
  const [last = earliest.last] = closed.map((each) => each.last).sort((one, other) => (one < other ? 1 : -1));
  const isClosed = (month: FilingPeriod): boolean =>
    closed.some((each) => each.first <= month.last && month.first <= each.last);
  return monthsOf({ label: '', first: earliest.first, last }).filter((month) => !isClosed(month));
};

/**
 * Returns the returns that no folder has, the earliest due first. They are in no book yet, so their amounts are not known.
 *
 * @param closed every closed period in the version that counts
 */
export const unclosedReturns = (
  closed: readonly PublishedPeriod[],
  registrations: readonly Registration[],
  today: CalendarDate,
): readonly UnclosedReturn[] => {
  const found = new Map<string, UnclosedReturn>();
  for (const { period: days } of closed)
    for (const { wanted, frequency, since } of registrations.flatMap((one) => returnsOf(one, days.last)))
      for (const { form, dueDate } of returnsOver(wanted, frequency, days)) {
        const { period } = dueDate;
        if (period.last < since || period.last >= today) continue;
        const isLockedOut = isLockedWithout(closed, period, wanted, frequency);
        if (!isLockedOut && !isUnclosed(closed, period)) continue;
        const key = returnKey(wanted);
        found.set(`${period.label} ${key}`, { key, form, dueDate, isLockedOut });
      }
  return [...found.values()].sort((left, right) => (left.dueDate.due < right.dueDate.due ? -1 : 1));
};

type WantedReturn = {
  readonly wanted: Wanted;
  readonly frequency: Frequency;
  readonly since: CalendarDate;
};

const returnsOf = (registration: Registration, day: CalendarDate): readonly WantedReturn[] => {
  const { state, localReturns } = registration;
  const since = calendarDate(registration.since);
  const frequency = frequencyOn(registration.frequency, day);
  return [
    { wanted: { state, kind: 'state', name: '' }, frequency, since },
    ...localReturns.map(
      ({ place, frequency: own = frequency }): WantedReturn => ({
        wanted: { state, kind: 'place', name: place },
        frequency: own,
        since,
      }),
    ),
  ];
};

const isSameReturn = (one: Wanted | Remittance, other: Wanted): boolean =>
  one.state === other.state && one.kind === other.kind && one.name === other.name;

const isSame = (one: Days, other: Days): boolean => one.first === other.first && one.last === other.last;

const isUnclosed = (closed: readonly PublishedPeriod[], { first, last }: Days): boolean =>
  closed.some(({ period }) => period.first <= last && last <= period.last) &&
  !closed.some(({ period }) => isSame(period, { first, last }));

const isLockedWithout = (
  closed: readonly PublishedPeriod[],
  days: FilingPeriod,
  wanted: Wanted,
  frequency: Frequency,
): boolean => {
  const law = loadFilingLaw();
  const has = (period: Days): boolean =>
    closed.some(
      (each) =>
        isSame(each.period, period) && each.leaves.remittances.some((one) => isSameReturn(one, wanted)),
    );
  const longer = longerReturn(law, wanted, frequency, days.last)?.dueDate.period;
  return (
    wanted.kind === 'state' &&
    closed.some(({ isLocked, period }) => isLocked && isSame(period, days)) &&
    !has(days) &&
    canBeRequired(law, wanted, frequency, days.last) &&
    !(longer && has(longer))
  );
};

/** Returns the returns that have days of a closed period, and the longer ones that complete these. */
const returnsOver = (
  wanted: Wanted,
  frequency: Frequency,
  closed: Days,
): readonly Pick<UnclosedReturn, 'form' | 'dueDate'>[] => {
  const law = loadFilingLaw();
  return shorterPeriods(law, wanted, frequency, closed).flatMap((period) => [
    {
      form: formFor(law, wanted, frequency, period.last).form,
      dueDate: dueDateOf(law, wanted, frequency, period),
    },
    ...[longerReturn(law, wanted, frequency, period.last) ?? []].flat(),
  ]);
};
