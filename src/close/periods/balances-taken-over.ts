import { amendedPeriod, isAmendmentLabel, versionBefore } from '../../kernel/amended-version.ts';
import { type FilingPeriod, parsePeriod } from '../../kernel/period.ts';
import type { Configuration } from '../configuration/schema.ts';
import { settledBy } from '../figures/remittance.ts';
import { longerReturn, shorterPeriods } from '../filing/return/longer-return.ts';
import { loadFilingLaw } from '../filing-law/load-filing-law.ts';
import { locksOf } from '../workspace/locks.ts';
import type { Workspace } from '../workspace/workspace.ts';
import {
  type ClaimedDiscounts,
  claimedDiscounts,
  earlierInYear,
  lockedLaterInYear,
  yearlyCaps,
} from './claimed-discounts.ts';
import { countedRegistrations } from './counted-registrations.ts';
import { lastVersionOf } from './last-version.ts';
import { type LeftAccounts, leftAccounts } from './left-accounts.ts';
import { completingIn, lastReturnOf, ofState } from './shorter-returns.ts';
import { statedBalance } from './stated-balances.ts';
import { ACCOUNTS, type Account, type Taken, type TakenOver } from './taken-over.ts';

type Registration = Configuration['registrations'][number];

/** Returns what the returns of a period take over. Accounts whose opening amount is configured take over nothing. */
export const balancesTakenOver = async (
  workspace: Workspace,
  registrations: readonly Registration[],
  period: FilingPeriod,
): Promise<TakenOver> => {
  const leaversOf = await leaversBefore(workspace, registrations, period);
  const states = registrations
    .filter(({ since }) => since <= period.last)
    .map((registration): readonly [string, Taken] => {
      const own = ACCOUNTS.filter(
        (account) => statedBalance(registration, account, period).opening === undefined,
      );
      const completing = completingIn(registration, period);
      const settled = completing && notKnown(completing.shorter);
      const discounts = discountPeriods(registration, period);
      const accounts: Partial<Record<Account, number>> = Object.fromEntries(
        own.map((account) => [account, 0]),
      );
      const from = completing ? [completing.last?.label ?? []].flat() : leaversOf(registration.state);
      return [
        registration.state,
        {
          ...accounts,
          from,
          ...(isAmendmentLabel(period.label) && { usedLater: {} }),
          ...(settled && { settled }),
          ...(discounts && { discounts }),
        },
      ];
    });
  return takenOverNow(workspace, period, { states: Object.fromEntries(states), versions: [] });
};

export const notKnown = (periods: readonly FilingPeriod[]): Readonly<Record<string, null>> =>
  Object.fromEntries(periods.map(({ label }) => [label, null]));

/** Returns the earlier periods of the year that may have claimed a part of a yearly cap; `undefined` without such a cap. */
export const discountPeriods = ({ state, since }: Registration, period: FilingPeriod) =>
  yearlyCaps(state).length === 0
    ? undefined
    : notKnown(earlierInYear(period).filter(({ last }) => since <= last));

/** Returns which periods may leave accounts to a period, by state: the first of them that was closed does. */
export const leaversBefore = async (
  workspace: Workspace,
  registrations: readonly Registration[],
  period: FilingPeriod,
): Promise<(state: string) => readonly string[]> => {
  const before = versionBefore(period);
  const earlier = before ? await countedRegistrations(workspace, registrations, before) : [];
  return (state) =>
    before ? earlier.filter((each) => each.state === state).flatMap((each) => leavers(each, before)) : [];
};

/**
 * Returns the periods that may leave accounts to the one after them: those of the returns that end with the period
 * before, the longest first, or that period itself.
 *
 * @param registration as it counts for the period before
 */
export const leavers = (
  { state, frequency }: Registration,
  { label, last }: FilingPeriod,
): readonly string[] => {
  const law = loadFilingLaw();
  const longer = longerReturn(law, ofState(state), frequency, last)?.dueDate.period;
  const own = shorterPeriods(law, ofState(state), frequency, { first: last, last });
  const ended = [...(longer ? [longer] : []), ...own].filter((each) => each.last === last);
  return [...new Set([...ended.map((each) => each.label), label])];
};

/** Where it is read what other periods leave to a period. */
export type TakenOverSources = { readonly accounts: LeftAccounts; readonly claimed: ClaimedDiscounts };

export const takenOverSources = async (workspace: Workspace): Promise<TakenOverSources> => ({
  accounts: await leftAccounts(workspace),
  claimed: claimedDiscounts(workspace),
});

/**
 * Returns what the same returns would take over now.
 *
 * @param sources given where several periods are asked about, so that each closing is read once
 */
export const takenOverNow = async (
  workspace: Workspace,
  period: FilingPeriod,
  took: TakenOver,
  sources?: TakenOverSources,
): Promise<TakenOver> => {
  const isEarlier = (label: string): boolean => (parsePeriod(label)?.last ?? '') < period.first;
  const { accounts: of, claimed } = sources ?? (await takenOverSources(workspace));
  const later = isAmendmentLabel(period.label) ? await lockedLaterInYear(workspace, period) : [];
  const states: Record<string, Taken> = {};
  for (const [state, { from, usedLater, settled, discounts, ...accounts }] of Object.entries(took.states)) {
    const left = of.leftBy(from, state);
    const used = of.usedAfter(amendedPeriod(period.label), state);
    const own = Object.keys(accounts) as readonly Account[];
    states[state] = {
      ...Object.fromEntries(own.map((account) => [account, left?.[account] ?? 0])),
      from,
      ...((usedLater || Object.keys(used).length > 0) && { usedLater: used }),
      ...(settled && { settled: await settledNow(workspace, Object.keys(settled), state) }),
      ...(discounts && {
        discounts: await discountsNow(
          workspace,
          [...Object.keys(discounts).filter(isEarlier), ...later],
          (version) => claimed(version, state),
        ),
      }),
    };
  }
  return { states, versions: await amendedWithin(workspace, period) };
};

const settledNow = async (workspace: Workspace, labels: readonly string[], state: string) => {
  const settled: Record<string, number | null> = {};
  for (const label of labels) {
    const filed = await lastReturnOf(workspace, label, state);
    settled[label] = filed === undefined ? null : filed.isRequired ? settledBy(filed).settled : 0;
  }
  return settled;
};

const discountsNow = async (
  workspace: Workspace,
  labels: readonly string[],
  claimed: (version: string) => Promise<number | undefined>,
) => {
  const discounts: Record<string, number | null> = {};
  for (const label of labels)
    discounts[label] = (await claimed(await lastVersionOf(workspace, { label }))) ?? null;
  return discounts;
};

const amendedWithin = async (
  workspace: Workspace,
  { label, first, last }: FilingPeriod,
): Promise<readonly string[]> =>
  (await locksOf(workspace))
    .filter((lock) => lock.version > 0 && lock.state === 'locked' && lock.period !== amendedPeriod(label))
    .filter((lock) => first <= lock.first && lock.last <= last)
    .map((lock) => lock.label);
