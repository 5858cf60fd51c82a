import type { StageResult } from '../../../runtime/pipeline.ts';
import type { LateLine } from '../../figures/late-line.ts';
import { decidedLines, linesOfItems } from '../../periods/late-lines.ts';
import { filedSince } from '../../periods/locked-returns.ts';
import { allLocks } from '../../workspace/locks.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { lateFor, lockNamed } from './late-of.ts';

/** The late items of a locked period: undecided and decided ones. */
export type LateListing = {
  readonly period: string;
  /** The digest of the period's lock. */
  readonly digest: string;
  readonly open: readonly LateLine[];
  readonly decided: readonly LateLine[];
  /** Versions of shorter periods that were filed since the returns of this longer one were locked. */
  readonly filedSince: readonly string[];
  /** An amended version that was begun and is not locked yet. */
  readonly begun?: string;
};

/** @throws {TieoutError} E_PERIOD_NOT_LOCKED */
export const listLate = async (
  { workspace }: ClosePorts,
  label: string,
): Promise<StageResult<LateListing>> => {
  const lock = await lockNamed(workspace, label);
  const { period, digest } = lock;
  const locks = await allLocks(workspace);
  const items = await lateFor(workspace, lock);
  const since = await filedSince(workspace, lock);
  const open = await linesOfItems(workspace, items);
  const decided = await decidedLines(workspace, period);
  const begun = locks.find((one) => one.period === label && one.version > 0 && one.state === 'open');
  return {
    value: { period: label, digest, open, decided, filedSince: since, ...(begun && { begun: begun.label }) },
    summary: `${open.length} open, ${decided.length} decided`,
  };
};
