import type { StageResult } from '../../../runtime/pipeline.ts';
import { findLate } from '../../periods/find-late.ts';
import { decidedLines, linesOfItems } from '../../periods/late-lines.ts';
import type { LateLine } from '../../report/late-line.ts';
import { locksOf } from '../../workspace/locks.ts';
import type { ClosePorts } from '../close-ports.ts';
import { lockNamed } from './late-of.ts';

/** What came late for a locked period: what is open, and what was decided. */
export type LateListing = {
  readonly period: string;
  /** The digest of the period's lock. */
  readonly digest: string;
  readonly open: readonly LateLine[];
  readonly decided: readonly LateLine[];
};

/** @throws {TieoutError} E_PERIOD_NOT_LOCKED */
export const listLate = async (
  { workspace }: ClosePorts,
  label: string,
): Promise<StageResult<LateListing>> => {
  const { period, digest, ...lock } = await lockNamed(workspace, label);
  const items = await findLate(workspace, { ...lock, period, digest }, await locksOf(workspace));
  const open = await linesOfItems(workspace, items);
  const decided = await decidedLines(workspace, period);
  return {
    value: { period: label, digest, open, decided },
    summary: `${open.length} open, ${decided.length} decided`,
  };
};
