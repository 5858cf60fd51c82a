import type { CalendarDate } from '../../kernel/calendar.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { Configuration } from '../configuration/schema.ts';
import { type DueDate, dueDateOf } from '../filing/calendar/due-date-of.ts';
import { formFor, type Wanted } from '../filing/law/filing-law.ts';
import type { Frequency } from '../filing/registration.ts';
import { longerReturn, shorterPeriods } from '../filing/return/longer-return.ts';
import { returnKey } from '../filing/state-figures.ts';
import { loadFilingLaw } from '../filing-law/load-filing-law.ts';
import { closedPeriod, closingHeads } from '../workspace/closings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { filedFrequencies } from './filed-frequencies.ts';
import { ofState } from './shorter-returns.ts';

type Registration = Configuration['registrations'][number];

/** A return of a period that is over and was not closed, although a closed period has its last day. */
export type UnclosedReturn = {
  readonly key: string;
  readonly form: string;
  readonly dueDate: DueDate;
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
  const isUnclosed = ({ first, last }: FilingPeriod): boolean =>
    last < today &&
    closed.some((each) => each.first <= last && last <= each.last) &&
    !closed.some((each) => each.last === last && each.first === first);
  const counted = await filedFrequencies(workspace);
  const found = new Map<string, UnclosedReturn>();
  for (const registration of registrations)
    for (const period of closed.filter(({ last }) => registration.since <= last))
      for (const [wanted, frequency] of (await counted([registration], period)).flatMap(returnsOf))
        for (const { form, dueDate } of returnsOver(wanted, frequency, period)) {
          const key = returnKey(wanted);
          if (dueDate.period.last >= registration.since && isUnclosed(dueDate.period))
            found.set(`${dueDate.period.label} ${key}`, { key, form, dueDate });
        }
  return [...found.values()].sort((left, right) => (left.dueDate.due < right.dueDate.due ? -1 : 1));
};

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
