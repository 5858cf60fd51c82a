import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import type { FilingFigures } from '../figures/filing-figures.ts';
import { isHandedIn, stateReturnOf } from '../figures/period-filing.ts';
import { filedWith, ownReturns } from '../figures/remittance.ts';
import { loadFilingLaw } from '../filing/load-filing-law.ts';
import type { FilingRegistration } from '../filing/registration.ts';
import { amountToPay, filedBefore } from '../filing/tax-return.ts';
import { type Finding, finding } from '../judge/finding.ts';
import type { JurisdictionTotals } from '../judge/period-totals.ts';
import { subtract, ZERO } from '../kernel/money.ts';
import { type FilingPeriod, isAmendmentLabel } from '../kernel/period.ts';
import { shownMoney } from '../kernel/text.ts';
import { ACCOUNTS } from './balances.ts';
import type { PublishedPeriod } from './folders.ts';

type Registration = LoadedConfiguration['registrations'][number];

/**
 * Returns by state what was filed with the version that an amended version is made of.
 *
 * @param before the version that it is made of
 */
export const filedBeforeOf = (
  before: PublishedPeriod,
  registrations: readonly Registration[],
): ReadonlyMap<string, Pick<FilingRegistration, 'filedBefore'>> => {
  const filed = Map.groupBy(ownReturns(before.leaves), ({ state }) => state);
  return new Map(
    registrations.map(({ state }) => {
      const own = filed.get(state) ?? [];
      return [state, { filedBefore: own.map((each) => filedWith(before.period.label, each)) }];
    }),
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
    const made = stateReturnOf(loadFilingLaw(), figures, registration);
    const before = isHandedIn(made) ? filedBefore(made.filed) : undefined;
    if (!isHandedIn(made) || !before) return [];
    return ACCOUNTS.flatMap((account) => {
      const { used, closing } = made.filed[account];
      const beyond = subtract(closing, registration[account]?.usedLater ?? ZERO);
      if (beyond <= ZERO && (closing <= ZERO || amountToPay(made.filed) <= ZERO)) return [];
      const message = `the return of ${state} uses ${shownMoney(used)} of its ${account} and leaves ${shownMoney(closing)}, of which the return of ${before.version} left ${shownMoney(subtract(closing, beyond))} to later periods`;
      return [finding('amended-leaves-credit', message, { record: `${state} ${period.label}`, state })];
    });
  });
