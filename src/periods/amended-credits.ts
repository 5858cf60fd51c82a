import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import type { FilingFigures } from '../close/figures/filing-figures.ts';
import { isHandedIn, stateReturnOf } from '../close/figures/period-filing.ts';
import { type FilingRegistration, type Prepayments, registrationFor } from '../close/filing/registration.ts';
import type { StateFigures } from '../close/filing/state-figures.ts';
import { filedBefore, type TaxReturn } from '../close/filing/tax-return.ts';
import { loadFilingLaw } from '../close/filing-law/load-filing-law.ts';
import { type Finding, finding } from '../close/reconcile/finding.ts';
import type { JurisdictionTotals } from '../close/reconcile/period-totals.ts';
import { atLeastZero, type Money, money, subtract, sum, ZERO } from '../kernel/money.ts';
import { amendedPeriod, type FilingPeriod, isAmendmentLabel, parsePeriod } from '../kernel/period.ts';
import { shownMoney } from '../kernel/text.ts';
import { ACCOUNTS, type Account, leaversTo, statedBalance, type TakenOver } from './balances.ts';
import { firstOf, type PublishedPeriod, type PublishedPeriods } from './folders.ts';

type Registration = LoadedConfiguration['registrations'][number];

/** What the returns of an amended version are filled in from. */
export type AmendedReturns = {
  readonly returns: readonly FilingRegistration[];
  readonly filing: Pick<FilingFigures, 'of'>;
  readonly jurisdictions: readonly JurisdictionTotals[];
};

/**
 * Returns a finding for each balance of which an amended return would use more or less than the return before it, and
 * for each discount that it does not claim because later locked periods claimed the cap of the year. The balances that
 * later periods opened with are theirs, so that a difference is left: the finding says where it stands.
 *
 * @param registrations the registrations of the configuration, by which later periods take over balances
 */
export const creditsLeft = async (
  published: PublishedPeriods,
  registrations: readonly Registration[],
  { period, takenOver }: { readonly period: FilingPeriod; readonly takenOver: TakenOver },
  { returns, filing, jurisdictions }: AmendedReturns,
): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  for (const own of returns) {
    const { state } = own;
    const [figures] = filing.of(state, period, jurisdictions, own.filedBefore);
    const filed = figures && returnWith(figures, own);
    const before = filed && filedBefore(filed);
    if (!filed || !before) continue;
    const say = (message: string): void => {
      findings.push(finding('amended-leaves-credit', message, { record: `${state} ${period.label}`, state }));
    };
    const wanted = returnWith(figures, unfrozen(own));
    const behind = await periodBehind(published, registrations, state, period);
    for (const account of ACCOUNTS) {
      const { used, closing } = filed[account];
      const more = subtract(wanted?.[account].used ?? ZERO, used);
      const beyond = subtract(closing, own[account]?.usedLater ?? ZERO);
      if (more <= ZERO && beyond <= ZERO) continue;
      const what =
        more > ZERO
          ? `the return of ${state} uses ${shownMoney(used)} of its ${account} and could use ${shownMoney(more)} more, which the return of ${before.version} left to later periods`
          : `the return of ${state} leaves ${shownMoney(beyond)} more of its ${account} than the return of ${before.version}`;
      say(`${what}; ${await whereLeft(behind, state, account, { closing, beyond })}`);
    }
    const claimed = Object.entries(takenOver.states[state]?.discounts ?? {}).filter(
      ([label, amount]) => amount !== null && amount > 0 && isLater(label, period),
    );
    if (claimed.length === 0) continue;
    const later = sum(claimed.map(([, amount]) => money(amount ?? 0)));
    const discountsThisYear = subtract(own.discountsThisYear ?? ZERO, later);
    const alone = returnWith(figures, { ...own, discountsThisYear })?.discount.claimed ?? ZERO;
    const lost = subtract(alone, filed.discount.claimed);
    if (lost > ZERO)
      say(
        `the return of ${state} claims a discount of ${shownMoney(filed.discount.claimed)} and could claim ${shownMoney(lost)} more; ${claimed.map(([label]) => label).join(' and ')}, locked, claimed that part of the cap of the year`,
      );
  }
  return findings;
};

/** Returns the state's own return; `undefined` where none is filed from the period. */
const returnWith = (figures: StateFigures, registration: FilingRegistration): TaxReturn | undefined => {
  const found = stateReturnOf(loadFilingLaw(), {
    figures,
    registration: registrationFor(registration, figures),
  });
  return isHandedIn(found) ? found.filed : undefined;
};

/** Returns a registration as if no later period had used anything of its balances. */
const unfrozen = ({ prepayments, credits, ...rest }: FilingRegistration): FilingRegistration => ({
  ...rest,
  ...(prepayments && { prepayments: withoutLater(prepayments) }),
  ...(credits && { credits: withoutLater(credits) }),
});

const withoutLater = ({ opening, added }: Prepayments): Prepayments => ({ opening, added });

const isLater = (label: string, { last }: FilingPeriod): boolean => (parsePeriod(label)?.first ?? '') > last;

/** Returns the closed period that opens with what a period left, in the version that counts. */
const periodBehind = async (
  published: PublishedPeriods,
  registrations: readonly Registration[],
  state: string,
  { label: version, last }: FilingPeriod,
): Promise<PublishedPeriod | undefined> => {
  const registration = registrations.find((each) => each.state === state);
  const own = amendedPeriod(version);
  for (const other of published.versions) {
    if (!registration || isAmendmentLabel(other.label) || other.last < last) continue;
    const from = leaversTo(registration, other);
    if (!from.includes(own)) continue;
    const leaver = await firstOf(published, from);
    if (leaver && amendedPeriod(leaver.period.label) === own) return published.last(other.label);
  }
  return undefined;
};

type Left = { readonly closing: Money; readonly beyond: Money };

/** Says which period has what is left of a balance, and how much of it none has. */
const whereLeft = async (
  behind: PublishedPeriod | undefined,
  state: string,
  account: Account,
  { closing, beyond }: Left,
): Promise<string> => {
  if (!behind?.isLocked) return `${behind?.period.label ?? 'the next period'} opens with what is left`;
  const { period } = behind;
  const { configured, filing } = await behind.frame();
  const registration = configured.find((each) => each.state === state);
  const isStated =
    registration !== undefined && statedBalance(registration, account, period).opening !== undefined;
  const opening = filing.find((each) => each.state === state)?.[account]?.opening ?? ZERO;
  const missing = atLeastZero(isStated ? beyond : subtract(closing, opening));
  return missing === ZERO
    ? `${period.label}, locked, opened with what is left`
    : `${period.label}, locked, opened without ${shownMoney(missing)} of what is left, and no period has that`;
};
