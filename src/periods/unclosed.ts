import { frequencyOn } from '../configuration/fields.ts';
import type { DueDate } from '../filing/dates.ts';
import { ofState, type Wanted } from '../filing/load-filing-law.ts';
import { dueDatesOver } from '../filing/return-of.ts';
import { returnKey } from '../filing/state-figures.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { type FilingPeriod, monthsOf } from '../kernel/period.ts';
import type { Registration } from './balances.ts';
import type { PublishedPeriod } from './folders.ts';

/**
 * A return of a period that is over, which no folder has: its period was not closed, although a closed one has its last
 * day, or it was locked without the return, because the registration came later.
 */
export type UnclosedReturn = {
  readonly key: string;
  readonly dueDate: DueDate;
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
  const isClosed = ({ first, last }: FilingPeriod, key: string): boolean =>
    closed.some(
      ({ period, isLocked, leaves }) =>
        period.first === first &&
        period.last === last &&
        (!isLocked || leaves.remittances.some((each) => each.key === key)),
    );
  for (const { period: days } of closed)
    for (const registration of registrations)
      for (const month of monthsOf(days))
        for (const wanted of returnsOf(registration, month.last))
          for (const dueDate of dueDatesOver(wanted, month)) {
            const { period } = dueDate;
            if (period.last < registration.since || period.last > days.last || period.last >= today) continue;
            const key = returnKey(wanted);
            if (!isClosed(period, key)) found.set(`${period.label} ${key}`, { key, dueDate });
          }
  return [...found.values()].sort((left, right) => (left.dueDate.due < right.dueDate.due ? -1 : 1));
};

const returnsOf = (
  { state, localReturns, ...registration }: Registration,
  day: CalendarDate,
): readonly Wanted[] => {
  const frequency = frequencyOn(registration.frequency, day);
  const places = localReturns.filter(({ localTax }) => localTax === 'own');
  return [
    ofState(state, frequency),
    ...places.map(({ place, frequency: own = frequency }) => ({
      state,
      kind: 'place' as const,
      name: place,
      frequency: own,
    })),
  ];
};
