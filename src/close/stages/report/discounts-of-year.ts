import { amendedPeriod, versionBefore } from '../../../kernel/amended-version.ts';
import { type Money, negate, sum } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import type { FilingRegistration } from '../../filing/registration.ts';
import { loadFilingLaw } from '../../filing-law/load-filing-law.ts';
import { closingOf } from '../../periods/closing.ts';
import { closingHeads } from '../../workspace/closings.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** A period of the calendar year, with the report of its last version; without one, it was never closed. */
type Earlier = { readonly period: FilingPeriod; readonly report: PeriodReport | undefined };

/**
 * Returns the registrations with the discounts that earlier returns of the calendar year claimed, in the states with a
 * cap by the year.
 */
export const withDiscountsOfYear = async (
  workspace: Workspace,
  period: FilingPeriod,
  registrations: readonly FilingRegistration[],
): Promise<readonly FilingRegistration[]> => {
  const { discounts } = loadFilingLaw();
  const capped = new Set(discounts.filter(({ cap }) => cap?.perYear !== undefined).map(({ state }) => state));
  if (!registrations.some(({ state }) => capped.has(state))) return registrations;
  const earlier = await earlierInYear(workspace, period);
  return registrations.map((registration) =>
    capped.has(registration.state)
      ? { ...registration, ...discountsOf(registration, earlier) }
      : registration,
  );
};

const discountsOf = (
  { state, since }: FilingRegistration,
  earlier: readonly Earlier[],
): Pick<FilingRegistration, 'discountsThisYear' | 'discountsNotKnown'> => {
  const unknown = earlier.filter(({ period, report }) => report === undefined && since <= period.last);
  return {
    discountsThisYear: sum(earlier.map(({ report }) => claimedIn(report, state))),
    discountsNotKnown: unknown.map(({ period }) => period.label),
  };
};

const claimedIn = (report: PeriodReport | undefined, state: string): Money =>
  negate(
    sum(
      (report?.remittances ?? [])
        .filter((of) => of.state === state && of.kind === 'state' && of.isRequired)
        .map(({ discount }) => discount),
    ),
  );

/** Returns the periods of the same length before this one in its calendar year, oldest first. */
const earlierInYear = async (workspace: Workspace, period: FilingPeriod): Promise<readonly Earlier[]> => {
  const year = period.last.slice(0, 4);
  const closed = (await closingHeads(workspace)).map(({ period: label }) => label);
  const earlier: Earlier[] = [];
  for (let at = versionBefore(period); at?.last.startsWith(year); at = versionBefore(at)) {
    const version = lastVersion(closed, at.label);
    const closing = version === undefined ? undefined : await closingOf(workspace, version);
    earlier.unshift({ period: at, report: closing?.report });
  }
  return earlier;
};

const lastVersion = (closed: readonly string[], period: string): string | undefined =>
  closed
    .filter((label) => amendedPeriod(label) === period)
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .at(-1);
