import { amendedPeriod, versionBefore } from '../../kernel/amended-version.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { Configuration } from '../configuration/schema.ts';
import { settledBy } from '../figures/remittance.ts';
import { longerReturn } from '../filing/return/longer-return.ts';
import { loadFilingLaw } from '../filing-law/load-filing-law.ts';
import { closingHead } from '../workspace/closings.ts';
import { locksOf } from '../workspace/locks.ts';
import { keptPeriods, type PeriodState } from '../workspace/trend.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { claimedDiscounts, earlierInYear, yearlyCaps } from './claimed-discounts.ts';
import { lastVersionOf } from './last-version.ts';
import { completingIn, lastReturnOf, ofState } from './shorter-returns.ts';

/** The accounts of a return that one period leaves to the next. */
export const ACCOUNTS = ['prepayments', 'credits'] as const;
export type Account = (typeof ACCOUNTS)[number];

/** What the return of a state takes over from other periods, in cents. */
export type Taken = Partial<Record<Account, number>> & {
  /** The periods that may leave the accounts: the first of them that was closed does. */
  readonly from: readonly string[];
  /** What returns of shorter periods settled that the return completes, by period; `null` where that is not known. */
  readonly settled?: Readonly<Record<string, number | null>>;
  /** Where a discount has a cap by the year: what earlier returns of it claimed, by period; `null` where not known. */
  readonly discounts?: Readonly<Record<string, number | null>>;
};

/** What the returns of a period take over: by state, and the amended versions that were filed for days of the period. */
export type TakenOver = {
  readonly states: Readonly<Record<string, Taken>>;
  readonly versions: readonly string[];
};

type Registration = Configuration['registrations'][number];

/** Whether the configuration states with which amount an account opens a period. */
export const opensAsConfigured = (registration: Registration, account: Account, label: string): boolean =>
  registration[account].some(({ period, opening }) => period === label && opening !== undefined);

/** Returns what the returns of a period take over. Accounts whose opening amount is configured take over nothing. */
export const balancesTakenOver = (
  workspace: Workspace,
  registrations: readonly Registration[],
  period: FilingPeriod,
): Promise<TakenOver> => {
  const states = registrations
    .filter(({ since }) => since <= period.last)
    .map((registration): readonly [string, Taken] => {
      const own = ACCOUNTS.filter(
        (account) => !opensAsConfigured(registration, account, amendedPeriod(period.label)),
      );
      const completing = completingIn(registration, period);
      const settled = completing && notKnown(completing.shorter);
      const discounts = discountPeriods(registration, period);
      const accounts: Partial<Record<Account, number>> = Object.fromEntries(
        own.map((account) => [account, 0]),
      );
      const from = completing ? [completing.last?.label ?? []].flat() : leavers(registration, period);
      return [
        registration.state,
        { ...accounts, from, ...(settled && { settled }), ...(discounts && { discounts }) },
      ];
    });
  return takenOverNow(workspace, period, { states: Object.fromEntries(states), versions: [] });
};

const notKnown = (periods: readonly FilingPeriod[]): Readonly<Record<string, null>> =>
  Object.fromEntries(periods.map(({ label }) => [label, null]));

/** Returns the earlier periods of the year that may have claimed a part of a yearly cap; `undefined` without such a cap. */
const discountPeriods = ({ state, since }: Registration, period: FilingPeriod) =>
  yearlyCaps(state).length === 0
    ? undefined
    : notKnown(earlierInYear(period).filter(({ last }) => since <= last));

/** Returns the periods that may leave accounts to a period: the longer return that ends before it, or the period before. */
const leavers = ({ state, frequency }: Registration, period: FilingPeriod): readonly string[] => {
  const before = versionBefore(period);
  if (!before) return [];
  const longer = longerReturn(loadFilingLaw(), ofState(state), frequency, before.last)?.dueDate.period;
  return [...(longer?.last === before.last ? [longer.label] : []), before.label];
};

/**
 * Returns what the same returns would take over now.
 *
 * @param claimed given where several periods are asked about, so that each closing is read once
 */
export const takenOverNow = async (
  workspace: Workspace,
  period: FilingPeriod,
  took: TakenOver,
  claimed = claimedDiscounts(workspace),
): Promise<TakenOver> => {
  const states: Record<string, Taken> = {};
  for (const [state, { from, settled, discounts, ...accounts }] of Object.entries(took.states)) {
    const left = await leftBy(workspace, from, state);
    const amounts = { prepayments: left?.prepayments_left, credits: left?.credits_left };
    const own = Object.keys(accounts) as readonly Account[];
    states[state] = {
      ...Object.fromEntries(own.map((account) => [account, amounts[account] ?? 0])),
      from,
      ...(settled && { settled: await settledNow(workspace, Object.keys(settled), state) }),
      ...(discounts && {
        discounts: await discountsNow(workspace, Object.keys(discounts), (version) =>
          claimed(version, state),
        ),
      }),
    };
  }
  return { states, versions: await amendedWithin(workspace, period) };
};

/** Returns the totals of a state in the first of these periods that was closed, in its last version. */
const leftBy = async (
  workspace: Workspace,
  from: readonly string[],
  state: string,
): Promise<PeriodState | undefined> => {
  for (const label of from) {
    const last = await lastVersionOf(workspace, { label });
    if ((await closingHead(workspace, last)) === undefined) continue;
    return (await keptPeriods(workspace, [last])).find((row) => row.state === state);
  }
  return undefined;
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
