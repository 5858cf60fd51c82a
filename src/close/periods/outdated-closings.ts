import { changedPart, type Parts } from '../../kernel/parts.ts';
import { closedPeriod, closingHeads, keepSeen } from '../workspace/closings.ts';
import { locksOf } from '../workspace/locks.ts';
import { lastRuns } from '../workspace/runs.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { exportsDigest, type SeenPart } from './closing.ts';
import { currentExportsDigest } from './exports-digests-of.ts';

export type ComparedClosing = {
  readonly label: string;
  /** The folder of its files. */
  readonly folder: string;
  /** Whether the exports state something else of the period than when it was closed. */
  readonly isOutdated: boolean;
};

/**
 * Compare every closing that is not locked with the exports as they were last read, unless it was compared with them
 * before. A closing whose last run did not complete is skipped: it does not count as current anyway.
 *
 * @returns those that are out of date, and those that no longer are, by period
 */
export const compareClosings = async (workspace: Workspace): Promise<readonly ComparedClosing[]> => {
  const exports = await exportsDigest(workspace);
  const incomplete = (await lastRuns(workspace)).filter(({ filesAreCurrent }) => !filesAreCurrent);
  const left = new Set(incomplete.map(({ period }) => period));
  const compared: ComparedClosing[] = [];
  for (const closing of await unlockedClosings(workspace)) {
    const { label } = closing.period;
    const wasOutdated = await isOutdated(closing);
    const seen = left.has(label) ? closing.seen : await seenNow(workspace, closing, exports);
    const isNow = await isOutdated({ ...closing, seen });
    if (isNow || wasOutdated) compared.push({ label, folder: closing.folder, isOutdated: isNow });
  }
  return compared;
};

/** Returns the unlocked periods that were out of date at the last comparison. */
export const outdatedLabels = async (workspace: Workspace): Promise<ReadonlySet<string>> => {
  const labels = new Set<string>();
  for (const closing of await unlockedClosings(workspace))
    if (await isOutdated(closing)) labels.add(closing.period.label);
  return labels;
};

type UnlockedClosing = Awaited<ReturnType<typeof unlockedClosings>>[number];

const isOutdated = async ({ parts, seen }: Pick<UnlockedClosing, 'parts' | 'seen'>): Promise<boolean> =>
  (await changedPart(parts, seen, ['stated'])) !== undefined;

const unlockedClosings = async (workspace: Workspace) => {
  const locks = await locksOf(workspace);
  const locked = new Set(locks.filter(({ state }) => state === 'locked').map(({ label }) => label));
  const rows = await closingHeads(workspace);
  return rows
    .filter(({ period }) => !locked.has(period))
    .map((row) => ({
      period: closedPeriod(row),
      folder: row.folder,
      parts: JSON.parse(row.parts) as Parts<SeenPart>,
      seen: JSON.parse(row.seen) as Parts<SeenPart>,
    }));
};

/** Returns what the exports state of the period; computes and keeps it again when other exports were read. */
const seenNow = async (
  workspace: Workspace,
  { period, seen }: UnlockedClosing,
  exports: string,
): Promise<Parts<SeenPart>> => {
  if ((await changedPart(seen, { exports }, ['exports'])) === undefined) return seen;
  const now = { exports, stated: await currentExportsDigest(workspace, period) };
  await keepSeen(workspace, period.label, JSON.stringify(now));
  return now;
};
