import { amendedLabel } from '../../kernel/amended-version.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { filingPlan, isFiled } from '../period-sales/filing-plan.ts';
import { allLocks, holdsReturns, type Lock, lockContent, openAmendment } from '../workspace/locks.ts';
import { noteEvent } from '../workspace/period-events.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Decision } from './decide-late.ts';
import { lastVersionOf } from './last-version.ts';
import type { Snapshot } from './lock-evidence.ts';

/**
 * Returns the locked versions within a longer period if they hold all of its sales, so that a lock of it holds its returns
 * alone; otherwise `undefined`.
 */
export const versionsWithin = (
  { label, first, last }: FilingPeriod,
  locks: readonly Lock[],
): readonly string[] | undefined => {
  const sales = locks.filter(
    (lock) => !holdsReturns(lock, locks) && lock.last >= first && lock.first <= last,
  );
  const { spans, amendment } = filingPlan({ label, first, last }, sales);
  const areWithin = sales.every((lock) => first <= lock.first && lock.last <= last);
  return areWithin && isFiled({ spans, amendment }) ? spans.flatMap(({ labels }) => labels) : undefined;
};

/** The versions of shorter periods over which the returns of a lock were filed; none for a lock that holds sales. */
const filedOver = async (workspace: Workspace, label: string): Promise<readonly string[]> => {
  const content = await lockContent(workspace, label);
  return content?.state === 'locked' ? ((JSON.parse(content.body) as Snapshot).over ?? []) : [];
};

/** Returns the versions of shorter periods that were filed since the returns of a longer one were locked. */
export const filedSince = async (
  workspace: Workspace,
  { period, first, last }: Pick<Lock, 'period' | 'first' | 'last'>,
): Promise<readonly string[]> => {
  const over = await filedOver(workspace, await lastVersionOf(workspace, { label: period }));
  if (over.length === 0) return [];
  const now = versionsWithin({ label: period, first, last }, await allLocks(workspace)) ?? [];
  return now.filter((label) => !over.includes(label));
};

/** Returns the lock of the returns that rest on a version; `undefined` if no lock does. */
export const filedOnTopOf = async (
  workspace: Workspace,
  label: string,
  locks: readonly Lock[],
): Promise<Lock | undefined> => {
  for (const lock of locks.filter((each) => each.state === 'locked' && holdsReturns(each, locks)))
    if ((await filedOver(workspace, lock.label)).includes(label)) return lock;
  return undefined;
};

/** Begin an amended version of locked returns when versions within their period were filed since, and none is begun. */
export const amendReturns = async (
  workspace: Workspace,
  lock: Lock,
  { who, why, now }: Pick<Decision, 'who' | 'why' | 'now'>,
): Promise<void> => {
  const since = await filedSince(workspace, lock);
  const versions = (await allLocks(workspace)).filter(({ period }) => period === lock.period);
  if (since.length === 0 || versions.some(({ state }) => state === 'open')) return;
  const label = amendedLabel(lock.period, versions.length);
  await workspace.together(async (within) => {
    await openAmendment(within, { ...lock, label, version: versions.length });
    const reason = [`${since.join(', ')} filed since, to ${label}`, why]
      .filter((text) => text !== '')
      .join(': ');
    await noteEvent(within, { period: lock.period, what: 'amended', at: now, who, why: reason, digest: '' });
  });
};
