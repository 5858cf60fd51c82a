import type { CalendarDate } from '../../kernel/calendar.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { Configuration } from '../configuration/schema.ts';
import { type DueDate, dueDateOf } from '../filing/calendar/due-date-of.ts';
import { formFor, type Wanted } from '../filing/law/filing-law.ts';
import type { Frequency } from '../filing/registration.ts';
import { canBeRequired, longerReturn, shorterPeriods } from '../filing/return/longer-return.ts';
import { returnKey } from '../filing/state-figures.ts';
import { loadFilingLaw } from '../filing-law/load-filing-law.ts';
import { closedPeriod, closingHeads } from '../workspace/closings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { closingOf } from './closing.ts';
import { registrationsCounted } from './counted-registrations.ts';
import { type Days, filedReturns, isReturn } from './filed-returns.ts';
import { ofState } from './shorter-returns.ts';

type Registration = Configuration['registrations'][number];

/**
 * A return of a period that is over, which no close has: its period was not closed, although a closed one has its last
 * day, or it was locked without the return, because the registration came later.
 */
export type UnclosedReturn = {
  readonly key: string;
  readonly form: string;
  readonly dueDate: DueDate;
  readonly isLockedOut: boolean;
};

/**
 * Returns them, the earliest due first. They are in no book yet, so their amounts are not known. What is locked was filed as
 * often as its closing says: months that were filed by themselves leave nothing to a quarter.
 */
export const unclosedReturns = async (
  workspace: Workspace,
  registrations: readonly Registration[],
  today: CalendarDate,
): Promise<readonly UnclosedReturn[]> => {
  const closed = (await closingHeads(workspace)).map(closedPeriod);
  const filed = await filedReturns(workspace);
  const isLockedOut = async (
    period: FilingPeriod,
    wanted: Wanted,
    frequency: Frequency,
  ): Promise<boolean> => {
    const own = (await filed(period)).filter(({ lock }) => isSame(lock, period));
    return (
      wanted.kind === 'state' &&
      own.length > 0 &&
      !own.some(({ returns }) => returns.some((each) => isReturn(each, wanted))) &&
      canBeRequired(loadFilingLaw(), wanted, frequency, period.last) &&
      !(await isCompleted(workspace, period, wanted, frequency))
    );
  };
  const isUnclosed = ({ first, last }: FilingPeriod): boolean =>
    closed.some((each) => each.first <= last && last <= each.last) &&
    !closed.some((each) => isSame(each, { first, last }));
  const counted = await registrationsCounted(workspace);
  const found = new Map<string, UnclosedReturn>();
  for (const period of closed)
    for (const registration of await counted(registrations, period)) {
      const { since } = registration;
      if (since > period.last) continue;
      for (const [wanted, frequency] of returnsOf(registration))
        for (const { form, dueDate } of returnsOver(wanted, frequency, period)) {
          const { label, last } = dueDate.period;
          if (last < since || last >= today) continue;
          const locked = await isLockedOut(dueDate.period, wanted, frequency);
          if (!locked && !isUnclosed(dueDate.period)) continue;
          // A registration may count for the closed period only by days of it that this return does not have.
          const own = await counted(registrations, dueDate.period);
          if (!own.some((each) => each.state === wanted.state && each.since <= last)) continue;
          const key = returnKey(wanted);
          found.set(`${label} ${key}`, { key, form, dueDate, isLockedOut: locked });
        }
    }
  return [...found.values()].sort((left, right) => (left.dueDate.due < right.dueDate.due ? -1 : 1));
};

/** Whether a closing has the longer return that completes this one, which says itself what it lacks of it. */
const isCompleted = async (
  workspace: Workspace,
  { last }: FilingPeriod,
  wanted: Wanted,
  frequency: Frequency,
): Promise<boolean> => {
  const longer = longerReturn(loadFilingLaw(), wanted, frequency, last);
  const closing = longer && (await closingOf(workspace, longer.dueDate.period.label));
  return closing?.report.remittances.some((each) => isReturn(each, wanted)) ?? false;
};

const isSame = (one: Days, other: Days): boolean => one.first === other.first && one.last === other.last;

const returnsOf = (registration: Registration): readonly (readonly [Wanted, Frequency])[] => {
  const { state, frequency, localReturns } = registration;
  return [
    [ofState(state), frequency],
    ...localReturns.map(({ place, frequency: own = frequency }): readonly [Wanted, Frequency] => [
      { state, kind: 'place', name: place },
      own,
    ]),
  ];
};

/** Returns the returns that have days of a closed period, and the longer ones that complete these. */
const returnsOver = (
  wanted: Wanted,
  frequency: Frequency,
  closed: FilingPeriod,
): readonly Pick<UnclosedReturn, 'form' | 'dueDate'>[] => {
  const law = loadFilingLaw();
  return shorterPeriods(law, wanted, frequency, closed)
    .flatMap((period) => [
      {
        form: formFor(law, wanted, frequency, period.last).form,
        dueDate: dueDateOf(law, wanted, frequency, period),
      },
      longerReturn(law, wanted, frequency, period.last) ?? [],
    ])
    .flat();
};
