import { amendedPeriod, versionBefore } from '../../kernel/amended-version.ts';
import { type Money, negate, sum } from '../../kernel/money.ts';
import { type FilingPeriod, parsePeriod } from '../../kernel/period.ts';
import { loadFilingLaw } from '../filing-law/load-filing-law.ts';
import { allLocks } from '../workspace/locks.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { closingOf } from './closing.ts';

/** Returns the caps of a state's discounts by the calendar year; none for most states. */
export const yearlyCaps = (state: string): readonly Money[] =>
  loadFilingLaw()
    .discounts.filter((rule) => rule.state === state)
    .flatMap(({ cap }) => cap?.perYear ?? []);

/** Returns the periods of the same length before a period in its calendar year, oldest first. */
export const earlierInYear = (period: FilingPeriod): readonly FilingPeriod[] => {
  const year = period.last.slice(0, 4);
  const earlier: FilingPeriod[] = [];
  for (let at = versionBefore(period); at?.last.startsWith(year); at = versionBefore(at)) earlier.unshift(at);
  return earlier;
};

/** Returns the later periods of the same length in the year that are locked, oldest first. */
export const lockedLaterInYear = async (
  workspace: Workspace,
  { label }: FilingPeriod,
): Promise<readonly string[]> => {
  const locked = (await allLocks(workspace)).filter(({ state }) => state === 'locked');
  return [...new Set(locked.map(({ period }) => period))].filter((other) => {
    const later = parsePeriod(other);
    return later !== undefined && earlierInYear(later).some((each) => each.label === amendedPeriod(label));
  });
};

/** Returns the discount that the state's own return of a version claimed; `undefined` when it was never closed. */
export type ClaimedDiscounts = (version: string, state: string) => Promise<Money | undefined>;

/** Reads what was claimed from the closings, each of them once. */
export const claimedDiscounts = (workspace: Workspace): ClaimedDiscounts => {
  const read = new Map<string, ReturnType<typeof claimedIn>>();
  return async (version, state) => {
    const claimed = read.get(version) ?? claimedIn(workspace, version);
    read.set(version, claimed);
    return (await claimed)?.(state);
  };
};

const claimedIn = async (workspace: Workspace, version: string) => {
  const report = (await closingOf(workspace, version))?.report;
  if (!report) return undefined;
  const returns = report.remittances.filter(({ kind, isRequired }) => kind === 'state' && isRequired);
  return (state: string): Money =>
    negate(sum(returns.filter((of) => of.state === state).map(({ discount }) => discount)));
};
