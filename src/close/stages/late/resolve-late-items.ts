import { isAmendmentLabel } from '../../../kernel/amended-version.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import type { StageResult } from '../../../runtime/pipeline.ts';
import { filingPlan, isFiled } from '../../period-sales/filing-plan.ts';
import { locksAnsweredBy } from '../../periods/answered-locks.ts';
import { decideLate } from '../../periods/decide-late.ts';
import { findLate } from '../../periods/find-late.ts';
import { notLocked } from '../../periods/period-errors.ts';
import { allLocks, type Lock, locksOf } from '../../workspace/locks.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { recomputeLate } from '../recompute/recompute-late.ts';
import type { ClosePorts } from '../run/close-ports.ts';

export type LateFigures = {
  readonly open: number;
  readonly carried: number;
  readonly amended: number;
  /** Number of open items of the closed period itself, which is locked. */
  readonly behind: number;
};

/**
 * Resolve late items of locked periods. The policy decides: they are carried into this period, added to an amended
 * version of their own period, or left for a person to decide. In the last case their tax is calculated, so that the
 * effect can be shown.
 */
export const resolveLateItems = async (
  ports: ClosePorts,
  period: FilingPeriod,
): Promise<StageResult<LateFigures>> => {
  const { workspace, configuration } = ports;
  const { lateItems: policy } = configuration.policy;
  const figures = { open: 0, carried: 0, amended: 0, behind: 0 };
  let settled = 0;
  await refuseUnknownAmendment(workspace, period);
  const locks = await locksOf(workspace);
  if (isFiled(filingPlan(period, locks))) return lateBehind(workspace, period, locks);
  const answered = await locksAnsweredBy(workspace, period);
  for (const lock of answered) {
    const present = await locksOf(workspace);
    const items = await findLate(workspace, lock, present);
    if (policy === 'ask') {
      await recomputeLate(ports, lock.period, items);
      figures.open += items.length;
      continue;
    }
    const decision = { choice: policy, who: 'policy.lateItems', why: '', now: ports.clock.now() };
    const destination = await decideLate(workspace, lock, present, { items, decision });
    if (destination === '') settled += items.length;
    else figures[policy === 'carry' ? 'carried' : 'amended'] += items.length;
  }
  const counts = { ...figures, 'decided with nothing to file': settled };
  const told = Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
  const nothing =
    locks.length > answered.length ? 'nothing came late that this period answers' : 'nothing came late';
  return { value: figures, summary: told.length === 0 ? nothing : told.join(', ') };
};

/**
 * Returns the late items of a filed period. They are decided with the next open period, not here.
 */
export const lateBehind = async (
  workspace: Workspace,
  period: FilingPeriod,
  locks: readonly Lock[],
): Promise<StageResult<LateFigures>> => {
  const own = locks.filter(
    ({ version, first, last }) => version === 0 && first <= period.last && period.first <= last,
  );
  const told: string[] = [];
  let behind = 0;
  for (const lock of own) {
    const { length } = await findLate(workspace, lock, locks);
    behind += length;
    if (length > 0)
      told.push(`${length} came late for ${lock.label}, which is locked: \`tieout late ${lock.label}\``);
  }
  return {
    value: { open: 0, carried: 0, amended: 0, behind },
    summary: told.length === 0 ? 'nothing came late' : told.join('; '),
  };
};

const refuseUnknownAmendment = async (workspace: Workspace, { label }: FilingPeriod): Promise<void> => {
  if (!isAmendmentLabel(label)) return;
  if (!(await allLocks(workspace)).some((lock) => lock.label === label)) throw notLocked(label);
};
