import type { FilingPeriod } from '../../../kernel/period.ts';
import type { Configuration } from '../../configuration/schema.ts';
import { isPayable } from '../../figures/pay-list.ts';
import { filedWith } from '../../figures/remittance.ts';
import { returnsDue } from '../../figures/returns-due.ts';
import type { FilingRegistration } from '../../filing/registration.ts';
import { loadFilingLaw } from '../../filing-law/load-filing-law.ts';
import { closingOf } from '../../periods/closing.ts';
import { amendedVersion } from '../../periods/last-version.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Returns the registrations of an amended version with the returns that were filed with the version before it. */
export const withFiledBefore = async (
  workspace: Workspace,
  period: FilingPeriod,
  configured: Configuration['registrations'],
  registrations: readonly FilingRegistration[],
): Promise<readonly FilingRegistration[]> => {
  const version = await amendedVersion(workspace, period);
  const report = version && (await closingOf(workspace, version))?.report;
  if (!report) return registrations;
  const payable = new Set(
    returnsDue(loadFilingLaw(), report, configured)
      .filter((due) => isPayable(due) || due.status === 'UNCHANGED')
      .map(({ key }) => key),
  );
  const filed = report.remittances.filter(({ key }) => payable.has(key));
  return registrations.map((registration) => ({
    ...registration,
    filedBefore: filed
      .filter(({ state }) => state === registration.state)
      .map((each) => filedWith(version, each)),
  }));
};
