import type { FilingPeriod } from '../../../kernel/period.ts';
import type { Configuration } from '../../configuration/schema.ts';
import { filedWith } from '../../figures/remittance.ts';
import { ownReturns } from '../../figures/returns-due.ts';
import type { FilingRegistration, LongerLocked } from '../../filing/registration.ts';
import { longerReturn } from '../../filing/return/longer-return.ts';
import { loadFilingLaw } from '../../filing-law/load-filing-law.ts';
import { closingOf } from '../../periods/closing.ts';
import { filedReturns } from '../../periods/filed-returns.ts';
import { amendedVersion } from '../../periods/last-version.ts';
import { ofState } from '../../periods/shorter-returns.ts';
import type { Workspace } from '../../workspace/workspace.ts';

type Registration = Configuration['registrations'][number];

/**
 * Returns the registrations of an amended version with the returns that were filed with the version before it, with the
 * longer periods that are locked and their returns, and with whether the tax of one that was not required was filed with
 * the longer return.
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
  const { periods, lockedOf } = await lockedAround(workspace, period);
  const onLonger = report.remittances
    .filter(({ kind, isRequired }) => kind === 'state' && !isRequired)
    .filter(({ state }) =>
      isLongerFiled(
        configured.find((each) => each.state === state),
        period,
        lockedOf(state),
      ),
    )
    .map(({ state }) => state);
  return registrations.map((registration) => {
    const locked = lockedOf(registration.state);
    return {
      ...registration,
      filedBefore: filed
        .filter(({ state }) => state === registration.state)
        .map((each) => filedWith(version, each)),
      ...(locked.length > 0 && { longerLocked: locked }),
      ...(periods.length > 0 && { longerPeriods: periods }),
      ...(onLonger.includes(registration.state) && { isOnLonger: true as const }),
    };
  });
};

type LockedAround = {
  readonly periods: readonly Pick<LongerLocked, 'first' | 'last'>[];
  /** Returns the returns of a state with which they were locked. */
  readonly lockedOf: (state: string) => readonly LongerLocked[];
};

/** Returns the locked periods that are longer than this one and have all of its days, with what finds their returns. */
const lockedAround = async (workspace: Workspace, own: FilingPeriod): Promise<LockedAround> => {
  const filed = await filedReturns(workspace);
  const longer = (await filed(own)).filter(
    ({ lock: { first, last } }) =>
      first <= own.first && own.last <= last && (first < own.first || own.last < last),
  );
  const lockedOf = (state: string): readonly LongerLocked[] => {
    const locked = longer.flatMap(({ lock: { first, last }, returns }) =>
      returns
        .filter((each) => each.state === state)
        .map(({ kind, name }): LongerLocked => ({ kind, name, first, last })),
    );
    // The amended versions of a longer period have its returns again.
    return [...new Map(locked.map((each) => [JSON.stringify(each), each])).values()];
  };
  const originals = longer.filter(({ lock: { version } }) => version === 0);
  return { periods: originals.map(({ lock: { first, last } }) => ({ first, last })), lockedOf };
};

/** Whether the return that completes those of a period is locked: it was filed with the tax of the period. */
const isLongerFiled = (
  registration: Registration | undefined,
  { last }: FilingPeriod,
  locked: readonly LongerLocked[],
): boolean => {
  const longer =
    registration &&
    longerReturn(loadFilingLaw(), ofState(registration.state), registration.frequency, last)?.dueDate.period;
  return locked.some(
    ({ kind, first, last: end }) => kind === 'state' && first === longer?.first && end === longer.last,
  );
};
