import type { FilingPeriod } from '../../../kernel/period.ts';
import type { Configuration } from '../../configuration/schema.ts';
import { filedWith } from '../../figures/remittance.ts';
import { ownReturns } from '../../figures/returns-due.ts';
import type { FilingRegistration } from '../../filing/registration.ts';
import { longerReturn } from '../../filing/return/longer-return.ts';
import { loadFilingLaw } from '../../filing-law/load-filing-law.ts';
import { closingOf } from '../../periods/closing.ts';
import { amendedVersion } from '../../periods/last-version.ts';
import { ofState } from '../../periods/shorter-returns.ts';
import { allLocks, type Lock } from '../../workspace/locks.ts';
import type { Workspace } from '../../workspace/workspace.ts';

type Registration = Configuration['registrations'][number];

/**
 * Returns the registrations of an amended version with the returns that were filed with the version before it, with the
 * longer periods that are locked, and with whether the tax of one that was not required was filed with the longer return.
 */
export const withFiledBefore = async (
  workspace: Workspace,
  period: FilingPeriod,
  configured: readonly Registration[],
  registrations: readonly FilingRegistration[],
): Promise<readonly FilingRegistration[]> => {
  const version = await amendedVersion(workspace, period);
  const report = version && (await closingOf(workspace, version))?.report;
  if (!report) return registrations;
  const filed = ownReturns(loadFilingLaw(), report, configured);
  const longerLocked = locksAround(period, await allLocks(workspace));
  const onLonger = report.remittances
    .filter(({ kind, isRequired }) => kind === 'state' && !isRequired)
    .filter(({ state }) =>
      isLongerFiled(
        configured.find((each) => each.state === state),
        period,
        longerLocked,
      ),
    )
    .map(({ state }) => state);
  return registrations.map((registration) => ({
    ...registration,
    filedBefore: filed
      .filter(({ state }) => state === registration.state)
      .map((each) => filedWith(version, each)),
    ...(longerLocked.length > 0 && { longerLocked }),
    ...(onLonger.includes(registration.state) && { isOnLonger: true as const }),
  }));
};

type Days = Pick<Lock, 'first' | 'last'>;

/** Returns the days of the locked periods that are longer than this one and have all of its days. */
const locksAround = (own: FilingPeriod, locks: readonly Lock[]): readonly Days[] =>
  locks
    .filter(({ state, version }) => state === 'locked' && version === 0)
    .filter(({ first, last }) => first <= own.first && own.last <= last)
    .filter(({ first, last }) => first < own.first || own.last < last)
    .map(({ first, last }) => ({ first, last }));

/** Whether the return that completes those of a period is locked: it was filed with the tax of the period. */
const isLongerFiled = (
  registration: Registration | undefined,
  { last }: FilingPeriod,
  longerLocked: readonly Days[],
): boolean => {
  const longer =
    registration &&
    longerReturn(loadFilingLaw(), ofState(registration.state), registration.frequency, last)?.dueDate.period;
  return longerLocked.some(({ first, last: end }) => first === longer?.first && end === longer.last);
};
