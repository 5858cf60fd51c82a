import type { Instant } from '../../kernel/calendar.ts';
import { carriedOutOf, correctionOfFiled } from '../workspace/carried-sales.ts';
import { filedOutOf } from '../workspace/filed-pages.ts';
import { revokeDecisions } from '../workspace/late-decisions.ts';
import { allLocks, type Lock, removeLock } from '../workspace/locks.ts';
import { noteEvent } from '../workspace/period-events.ts';
import { beginningOf } from '../workspace/sale-page.ts';
import { submittedStages } from '../workspace/sent-records.ts';
import { pagesBeginning } from '../workspace/stage-pages.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { removeLockFiles } from './archived-files.ts';
import { filedOnTopOf } from './locked-returns.ts';
import { notLocked, notUnlockable, reasonMissing } from './period-errors.ts';

export type UnlockRequest = {
  readonly label: string;
  /** The folder in which the period is published. */
  readonly folder: string;
  readonly who: string;
  readonly why: string;
  readonly now: Instant;
};

/**
 * Remove a lock, so that the period can be closed again. The decisions about its late items are revoked with it,
 * because these items belong to the period itself again. The event is kept permanently.
 *
 * @throws {TieoutError} E_REASON_MISSING, E_PERIOD_NOT_LOCKED, E_PERIOD_BOUND
 */
export const unlockPeriod = async (workspace: Workspace, wish: UnlockRequest): Promise<Lock> => {
  const { label, folder, who, why, now } = wish;
  if (why.trim() === '') throw reasonMissing();
  const locks = await allLocks(workspace);
  const lock = locks.find((other) => other.label === label && other.state === 'locked');
  if (!lock) throw notLocked(label);
  await refuseBound(workspace, lock, locks);
  await workspace.together(async (within) => {
    if (lock.version === 0) await revokeDecisions(within, lock.period, { who, why, decided: now });
    await removeLock(within, lock);
    const { digest } = lock;
    await noteEvent(within, { period: label, what: 'unlocked', at: now, who, why, digest });
  });
  await removeLockFiles(folder);
  return lock;
};

/** Refuses to unlock a period on which later books depend. */
const refuseBound = async (workspace: Workspace, lock: Lock, locks: readonly Lock[]): Promise<void> => {
  const { label } = lock;
  // A period takes its open versions with it. A version that were open with a later one would be left out of that.
  const later = locks.find(
    ({ period, version, state }) =>
      period === lock.period && version > lock.version && (state === 'locked' || lock.version > 0),
  );
  if (later) {
    throw notUnlockable(
      label,
      later.state === 'locked' ? `${later.label} was made of it` : `${later.label} is begun on top of it`,
      'An amendment corrects a locked period; what comes late now goes into a further one.',
    );
  }
  const onTop = await filedOnTopOf(workspace, label, locks);
  if (onTop) {
    throw notUnlockable(
      label,
      `the returns of ${onTop.label}, which is locked, were filed over it`,
      `Unlock ${onTop.label} first; or leave both locked and amend what came late.`,
    );
  }
  // Corrections of the period itself that are neither filed nor sent are dropped with its lock.
  const own = lock.version === 0 ? lock.period : undefined;
  const correction = await correctionOfFiled(workspace, label, own);
  if (correction) {
    throw notUnlockable(
      label,
      `it files ${correction.replaces}, which was corrected later with ${correction.key}`,
      'Leave it locked: what it had wrong is put right in the period that carries the corrections.',
    );
  }
  if (lock.version > 0) return;
  const filed = await filedOutOf(workspace, lock.period);
  if (filed) {
    throw notUnlockable(
      label,
      `${filed.label}, which is locked, carries records out of it, such as ${filed.key}`,
      `Unlock ${filed.label} first; or leave both locked and let corrections be carried on.`,
    );
  }
  const submitted = await submittedLate(workspace);
  const carried = await carriedOutOf(workspace, lock.period);
  const sent = carried.find(({ key, corrects }) => corrects !== key && submitted.has(key))?.key;
  if (sent) {
    throw notUnlockable(
      label,
      `corrections of it are recorded with the tax service already, such as ${sent}`,
      'Leave it locked: what it had wrong is put right in the period that carries the corrections.',
    );
  }
};

/** Returns the keys of late records that were sent to a service. */
const submittedLate = async (workspace: Workspace): Promise<ReadonlySet<string>> => {
  const keys = new Set<string>();
  for (const stage of await submittedStages(workspace))
    for (const page of await pagesBeginning<{ readonly key: string }>(workspace, stage, beginningOf('late')))
      for (const { key } of page.rows) keys.add(key);
  return keys;
};
