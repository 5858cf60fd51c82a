import { changedPart, type Parts } from '../../kernel/parts.ts';
import { closedPeriod } from '../workspace/closings.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type TakenOverSources, takenOverNow, takenOverSources } from './balances-taken-over.ts';
import type { SeenPart } from './closing.ts';
import { openClosings } from './open-closings.ts';
import { takenOverIn } from './taken-over.ts';
import { takersOfOtherAmounts } from './takers-of-other-amounts.ts';

/**
 * Why a closed period is out of date: the exports state something else of it, or its returns take over something else from
 * other periods.
 */
export type OutdatedCause = 'exports' | 'takenOver';

/** Describes what has changed: `what the exports say of it has changed`. */
export const outdatedText = (cause: OutdatedCause, period: string): string =>
  cause === 'exports'
    ? `what the exports say of ${period} has changed`
    : `what other periods leave to ${period} has changed`;

/** Returns the unlocked periods that are out of date, with the cause: the exports as they were last compared. */
export const outdatedCauses = async (workspace: Workspace): Promise<ReadonlyMap<string, OutdatedCause>> => {
  const sources = await takenOverSources(workspace);
  const closings: UnlockedClosing[] = [];
  for (const closing of await unlockedClosings(workspace))
    closings.push({
      ...closing,
      seen: { ...closing.seen, ...(await takenOverPart(workspace, closing, sources)) },
    });
  return causesOf(closings, sources);
};

/** The parts of a closing, and those that it was last compared with. Those of an older version lack some. */
type UnlockedClosing = Awaited<ReturnType<typeof unlockedClosings>>[number];

const causesOf = async (
  closings: readonly UnlockedClosing[],
  sources: TakenOverSources,
): Promise<ReadonlyMap<string, OutdatedCause>> => {
  const takers = await takersOfOtherAmounts(
    closings.map(({ period, parts, seen }) => ({
      period,
      took: takenOverIn(parts),
      takes: takenOverIn(seen),
    })),
    sources.claimed,
  );
  const causes = new Map<string, OutdatedCause>();
  for (const { period, parts, seen } of closings) {
    const isOther = (await changedPart(parts as Parts<'stated'>, seen, ['stated'])) !== undefined;
    if (isOther) causes.set(period.label, 'exports');
    else if (takers.has(period.label)) causes.set(period.label, 'takenOver');
  }
  return causes;
};

/** Returns the closings that can still be filed, with their parts. */
const unlockedClosings = async (workspace: Workspace) =>
  (await openClosings(workspace)).map((row) => ({
    period: closedPeriod(row),
    folder: row.folder,
    parts: JSON.parse(row.parts) as SeenParts,
    seen: JSON.parse(row.seen) as SeenParts,
  }));

type SeenParts = Parts<Exclude<SeenPart, 'takenOver'>> & Partial<Parts<'takenOver'>>;

/** Returns what the period takes over now; nothing for a closing of a version that did not keep what it took over. */
const takenOverPart = async (
  workspace: Workspace,
  { period, parts }: Pick<UnlockedClosing, 'period' | 'parts'>,
  sources: TakenOverSources,
): Promise<Partial<Parts<'takenOver'>>> => {
  const took = takenOverIn(parts);
  return took === undefined
    ? {}
    : { takenOver: JSON.stringify(await takenOverNow(workspace, period, took, sources)) };
};
