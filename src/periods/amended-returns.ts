import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import { frequencyOn } from '../configuration/registration.ts';
import type { FilingFigures } from '../figures/filing-figures.ts';
import { isHandedIn, stateReturnOf } from '../figures/period-filing.ts';
import { filedWith, ownReturns } from '../figures/remittance.ts';
import { loadFilingLaw } from '../filing/load-filing-law.ts';
import { type FilingRegistration, type LongerLocked, registrationFor } from '../filing/registration.ts';
import { longerReturn } from '../filing/return-of.ts';
import { amountToPay, filedBefore } from '../filing/tax-return.ts';
import { type Finding, finding } from '../judge/finding.ts';
import type { JurisdictionTotals } from '../judge/period-totals.ts';
import { subtract, ZERO } from '../kernel/money.ts';
import { type FilingPeriod, isAmendmentLabel } from '../kernel/period.ts';
import { shownMoney } from '../kernel/text.ts';
import { ACCOUNTS, ofState } from './balances.ts';
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

/** What the returns of an amended version are filled in from. */
export type AmendedReturns = {
  readonly returns: readonly FilingRegistration[];
  readonly filing: Pick<FilingFigures, 'of'>;
  readonly jurisdictions: readonly JurisdictionTotals[];
};

/**
 * Returns a finding for each balance of which an amended return leaves more than the return before it, or leaves something
 * although there is more to pay: the balances that later periods opened with are theirs. None for other periods.
 */
export const creditsLeft = (
  period: FilingPeriod,
  { returns, filing, jurisdictions }: AmendedReturns,
): readonly Finding[] =>
  returns.flatMap((registration): readonly Finding[] => {
    const { state } = registration;
    const [figures] = filing.of(state, period, jurisdictions, registration.filedBefore);
    if (!figures || !isAmendmentLabel(period.label)) return [];
    const made = stateReturnOf(loadFilingLaw(), {
      figures,
      registration: registrationFor(registration, figures),
    });
    const before = isHandedIn(made) ? filedBefore(made.filed) : undefined;
    if (!isHandedIn(made) || !before) return [];
    return ACCOUNTS.flatMap((account) => {
      const { used, closing } = made.filed[account];
      const beyond = subtract(closing, registration[account]?.usedLater ?? ZERO);
      if (beyond <= ZERO && (closing <= ZERO || amountToPay(made.filed) <= ZERO)) return [];
      const message =
        beyond > ZERO
          ? `the return of ${state} leaves ${shownMoney(beyond)} more of its ${account} than the return of ${before.version}; later periods that are locked opened without it`
          : `the return of ${state} uses ${shownMoney(used)} of its ${account}, as the return of ${before.version} did, and leaves ${shownMoney(closing)} to later periods`;
      return [finding('amended-leaves-credit', message, { record: `${state} ${period.label}`, state })];
    });
  });
