import type { StageResult } from '../../../runtime/pipeline.ts';
import type { LateLine } from '../../figures/late-line.ts';
import { findLate } from '../../periods/find-late.ts';
import { decidedLines, linesOfItems } from '../../periods/late-lines.ts';
import { locksOf } from '../../workspace/locks.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { lockNamed } from './late-of.ts';

/** The late items of a locked period: undecided and decided ones. */
export type LateListing = {
  readonly period: string;
  /** The digest of the period's lock. */
  readonly digest: string;
  readonly open: readonly LateLine[];
  readonly decided: readonly LateLine[];
  /** An amended version that was begun and is not locked yet. */
  readonly begun?: string;
};

/** @throws {TieoutError} E_PERIOD_NOT_LOCKED */
export const listLate = async (
  { workspace }: ClosePorts,
  label: string,
): Promise<StageResult<LateListing>> => {
  const { period, digest, ...lock } = await lockNamed(workspace, label);
  const locks = await locksOf(workspace);
  const items = await findLate(workspace, { ...lock, period, digest }, locks);
  const open = await linesOfItems(workspace, items);
  const decided = await decidedLines(workspace, period);
  const begun = locks.find((one) => one.period === label && one.version > 0 && one.state === 'open');
  return {
    value: { period: label, digest, open, decided, ...(begun && { begun: begun.label }) },
    summary: `${open.length} open, ${decided.length} decided`,
  };
};
