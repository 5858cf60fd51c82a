import { amendedPeriod } from '../../../kernel/amended-version.ts';
import { type Money, negate, sum } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { PeriodReport } from '../../figures/period-report.ts';
import type { FilingRegistration } from '../../filing/registration.ts';
import { loadFilingLaw } from '../../filing-law/load-filing-law.ts';
import { closingOf } from '../../periods/closing.ts';
import { lastVersionsBefore } from '../../periods/last-version.ts';
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

/** More periods than a year has. */
const PERIODS_BEFORE = 12;

/** Returns the periods of the same length before this one in its calendar year. */
const earlierInYear = async (workspace: Workspace, period: FilingPeriod): Promise<readonly Earlier[]> => {
  const year = period.last.slice(0, 4);
  const earlier: Earlier[] = [];
  for (const version of await lastVersionsBefore(workspace, period, PERIODS_BEFORE)) {
    if (!version.last.startsWith(year)) continue;
    const closing = await closingOf(workspace, version.label);
    earlier.unshift({
      period: { ...version, label: amendedPeriod(version.label) },
      report: closing?.report,
    });
  }
  return earlier;
};
