import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import { frequencyOn } from '../configuration/registration.ts';
import { filedWith, ownReturns } from '../figures/remittance.ts';
import { loadFilingLaw } from '../filing/load-filing-law.ts';
import type { FilingRegistration, LongerLocked } from '../filing/registration.ts';
import { longerReturn } from '../filing/return-of.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { ofState } from './balances.ts';
import { closedReportOf, type PublishedPeriod, type PublishedPeriods } from './folders.ts';

type Registration = LoadedConfiguration['registrations'][number];

/** What an amended version knows of its returns: how each was filed before, and what longer periods were locked with. */
export type FiledBefore = Pick<
  FilingRegistration,
  'filedBefore' | 'longerLocked' | 'longerPeriods' | 'isOnLonger'
>;

/**
 * Returns by state what was filed with the version that an amended version is made of.
 *
 * @param before the version that it is made of
 */
export const filedBeforeOf = async (
  { versions, of }: PublishedPeriods,
  before: PublishedPeriod,
  registrations: readonly Registration[],
): Promise<ReadonlyMap<string, FiledBefore>> => {
  const { period, leaves } = before;
  const filed = ownReturns(await closedReportOf(before));
  const longer: PublishedPeriod[] = [];
  for (const version of versions.filter((other) => isLonger(other, period))) {
    const found = await of(version.label);
    if (found?.isLocked) longer.push(found);
  }
  const days = longer.map(({ period: { first, last } }) => ({ first, last }));
  const longerPeriods = [...new Map(days.map((each) => [each.first + each.last, each])).values()];
  const one = (registration: Registration): FiledBefore => {
    const { state } = registration;
    const longerLocked = lockedOf(longer, state);
    const isRequired = leaves.remittances.some(
      (each) => each.state === state && each.kind === 'state' && each.isRequired,
    );
    return {
      filedBefore: filed.filter((each) => each.state === state).map((each) => filedWith(period.label, each)),
      ...(longerLocked.length > 0 && { longerLocked }),
      ...(longerPeriods.length > 0 && { longerPeriods }),
      ...(!isRequired && isLongerFiled(registration, period, longerLocked) && { isOnLonger: true as const }),
    };
  };
  return new Map(registrations.map((registration) => [registration.state, one(registration)]));
};

const isLonger = ({ first, last }: FilingPeriod, own: FilingPeriod): boolean =>
  first <= own.first && own.last <= last && (first < own.first || own.last < last);

/** Returns the returns of a state that longer periods were locked with; their amended versions have them again. */
const lockedOf = (longer: readonly PublishedPeriod[], state: string): readonly LongerLocked[] => {
  const all = longer.flatMap(({ period: { first, last }, leaves }) =>
    leaves.remittances
      .filter((each) => each.state === state)
      .map(({ kind, name }): LongerLocked => ({ kind, name, first, last })),
  );
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
};

/** Whether the return that completes those of a period is locked: it was filed with the tax of the period. */
const isLongerFiled = (
  { state, frequency }: Registration,
  { last }: FilingPeriod,
  locked: readonly LongerLocked[],
): boolean => {
  const period = longerReturn(loadFilingLaw(), ofState(state), frequencyOn(frequency, last), last)?.dueDate
    .period;
  return locked.some(
    ({ kind, first, last: end }) => kind === 'state' && first === period?.first && end === period.last,
  );
};
