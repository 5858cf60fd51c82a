import type { StageResult } from '../../../runtime/pipeline.ts';
import { findLate } from '../../periods/find-late.ts';
import type { LateItem } from '../../periods/late-item.ts';
import { notLocked } from '../../periods/period-errors.ts';
import type { Sale } from '../../sales/sale.ts';
import { carriedOutOf } from '../../workspace/carried-sales.ts';
import { allLocks, type Lock, locksOf } from '../../workspace/locks.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { recomputeLate } from '../recompute/recompute-late.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/**
 * Returns the undecided late items of a locked period, with their tax calculated, and that of the decided ones that are
 * not filed yet, so that the effect of all can be shown.
 *
 * @throws {TieoutError} E_PERIOD_NOT_LOCKED
 */
export const lateOf = async (ports: ClosePorts, label: string): Promise<StageResult<readonly LateItem[]>> => {
  const lock = await lockNamed(ports.workspace, label);
  const items = await lateFor(ports.workspace, lock);
  await recomputeLate(ports, lock.period, [
    ...items,
    ...(await decidedUnfiled(ports.workspace, lock, items)),
  ]);
  return { value: items, summary: `${items.length} came late` };
};

/** Returns the records carried out of a locked period that no lock holds yet, except those that are late again. */
const decidedUnfiled = async (
  workspace: Workspace,
  { period }: Lock,
  items: readonly LateItem[],
): Promise<readonly Pick<LateItem, 'sale' | 'digest'>[]> =>
  (await carriedOutOf(workspace, period))
    .filter(({ key, filedFigures }) => filedFigures === null && !items.some((item) => item.key === key))
    .map(({ body, digest }) => ({ sale: JSON.parse(body) as Sale, digest }));

/**
 * Returns the lock of a period itself, not of an amended version.
 *
 * @throws {TieoutError} E_PERIOD_NOT_LOCKED
 */
export const lockNamed = async (workspace: Workspace, label: string): Promise<Lock> => {
  const lock = (await allLocks(workspace)).find((other) => other.label === label && other.version === 0);
  if (!lock) throw notLocked(label);
  return lock;
};

/** Returns the late items of a lock: a lock of returns has none, because its sales are late for the locks within it. */
export const lateFor = async (workspace: Workspace, lock: Lock): Promise<readonly LateItem[]> => {
  const locks = await locksOf(workspace);
  return locks.some(({ label }) => label === lock.label) ? findLate(workspace, lock, locks) : [];
};
