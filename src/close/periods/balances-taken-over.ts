import { versionBefore } from '../../kernel/amended-version.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { Configuration } from '../configuration/schema.ts';
import { type PeriodReport, statesBefore } from '../figures/period-report.ts';
import { keptPeriods } from '../workspace/trend.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { lastVersionsBefore } from './last-version.ts';

/** The accounts of a return that one period leaves to the next. */
export const ACCOUNTS = ['prepayments', 'credits'] as const;
type Account = (typeof ACCOUNTS)[number];

/** What a return takes over from the period before, in cents, without the accounts whose opening amount is configured. */
type Taken = Partial<Record<Account, number>>;
type TakenByState = Readonly<Record<string, Taken>>;

type Registration = Configuration['registrations'][number];

/** Whether the configuration states with which amount an account opens a period. */
export const opensAsConfigured = (registration: Registration, account: Account, label: string): boolean =>
  registration[account].some(({ period, opening }) => period === label && opening !== undefined);

/** Returns what the returns of a period took over from the period before, as a part of its closing. */
export const balancesTaken = (
  registrations: readonly Registration[],
  report: Pick<PeriodReport, 'trend' | 'period'>,
): string => {
  const left = new Map(statesBefore(report).map(({ state, filed }) => [state, filed]));
  const { label, last } = report.period;
  const taken = registrations
    .filter(({ since }) => since <= last)
    .map((registration) => {
      const filed = left.get(registration.state);
      const amounts = { prepayments: filed?.prepaymentsLeft, credits: filed?.creditsLeft };
      const own = ACCOUNTS.filter((account) => !opensAsConfigured(registration, account, label));
      return [
        registration.state,
        Object.fromEntries(own.map((account) => [account, amounts[account] ?? 0])),
      ] as const;
    });
  return JSON.stringify(Object.fromEntries(taken));
};

/** Returns what the same returns would take over now. */
export const balancesNow = async (
  workspace: Workspace,
  period: FilingPeriod,
  took: string,
): Promise<string> => {
  const before = await lastVersionsBefore(workspace, period, 1);
  const rows = await keptPeriods(
    workspace,
    before.map(({ label }) => label),
  );
  const now = Object.entries(JSON.parse(took) as TakenByState).map(([state, taken]) => {
    const row = rows.find((kept) => kept.state === state);
    const amounts = { prepayments: row?.prepayments_left, credits: row?.credits_left };
    const accounts = Object.keys(taken) as readonly Account[];
    return [state, Object.fromEntries(accounts.map((account) => [account, amounts[account] ?? 0]))] as const;
  });
  return JSON.stringify(Object.fromEntries(now));
};

/** A closing with what it took over and what it would take over, as far as that is known. */
type Taker = {
  readonly period: FilingPeriod;
  readonly took: string | undefined;
  readonly takes: string | undefined;
};

/**
 * Returns the labels of the closings that took over another amount than the period before leaves. What such a closing
 * leaves is not final either, so those that take it over are among them.
 *
 * @param closings those that are not locked, oldest first
 */
export const takersOfOtherAmounts = (closings: readonly Taker[]): ReadonlySet<string> => {
  // By label, the states whose amounts differ, and whether the return may have more now than it took over.
  const found = new Map<string, ReadonlyMap<string, boolean>>();
  for (const { period, took, takes } of closings) {
    if (took === undefined || takes === undefined) continue;
    const [taken, left] = [JSON.parse(took), JSON.parse(takes)] as [TakenByState, TakenByState];
    const before = found.get(versionBefore(period)?.label ?? '');
    const states = new Map<string, boolean>();
    for (const [state, old] of Object.entries(taken)) {
      const current = left[state] ?? {};
      const isOther = ACCOUNTS.some((account) => old[account] !== current[account]);
      const mayBeMore = Object.keys(old).length > 0 && before?.get(state) === true;
      const mayBeLess = totalOf(old) > 0 && before?.has(state) === true;
      if (isOther || mayBeMore || mayBeLess) states.set(state, mayBeMore || totalOf(current) > totalOf(old));
    }
    if (states.size > 0) found.set(period.label, states);
  }
  return new Set(found.keys());
};

const totalOf = ({ prepayments = 0, credits = 0 }: Taken): number => prepayments + credits;
