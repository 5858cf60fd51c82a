import { amendedPeriod, versionBefore } from '../../kernel/amended-version.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { allLocks, type Lock } from '../workspace/locks.ts';
import type { Workspace } from '../workspace/workspace.ts';

/**
 * Returns the periods before this one, newest first. Each is the version that was filed last: its last locked amended
 * version, or the period itself if it has none.
 */
export const lastVersionsBefore = async (
  workspace: Workspace,
  period: FilingPeriod,
  count: number,
): Promise<readonly FilingPeriod[]> => {
  const filed = await filedVersionsOf(workspace);
  const versions: FilingPeriod[] = [];
  for (
    let before = versionBefore(period);
    before && versions.length < count;
    before = versionBefore(before)
  ) {
    const { label } = before;
    versions.push({ ...before, label: filed.findLast((lock) => lock.period === label)?.label ?? label });
  }
  return versions;
};

/** Returns the label of the version of a period that was filed last: its last locked amended version, or its own. */
export const lastVersionOf = async (
  workspace: Workspace,
  { label }: Pick<FilingPeriod, 'label'>,
): Promise<string> =>
  (await filedVersionsOf(workspace)).findLast((lock) => lock.period === label)?.label ?? label;

/** Returns the label of the version that an amended version was made of; `undefined` for a period. */
export const amendedVersion = async (
  workspace: Workspace,
  { label }: Pick<FilingPeriod, 'label'>,
): Promise<string | undefined> => {
  const period = amendedPeriod(label);
  if (period === label) return undefined;
  const filed = (await filedVersionsOf(workspace)).filter((lock) => lock.period === period);
  const own = filed.findIndex((lock) => lock.label === label);
  return filed.at(own === -1 ? -1 : own - 1)?.label;
};

/** Returns the locks that are set, each period before its amended versions. */
const filedVersionsOf = async (workspace: Workspace): Promise<readonly Lock[]> =>
  (await allLocks(workspace)).filter(({ state }) => state === 'locked');
