import { closingOf } from '../close/periods/closing.ts';
import { outdatedLabels } from '../close/periods/outdated-closings.ts';
import { lastRuns } from '../close/workspace/runs.ts';
import type { Workspace } from '../close/workspace/workspace.ts';
import { type Closed, exitCodeOfClose } from './close-summary.ts';

/** How the last run of a period ended, `null` for one that was killed or none at all, and what is published of it. */
export type Standing = {
  readonly exitCode: number | null;
  readonly contentDigest: string;
  /** Other periods that are out of date. */
  readonly outdated: ReadonlySet<string>;
};

export const standingOf = async (workspace: Workspace, period: string): Promise<Standing> => ({
  exitCode: (await lastRuns(workspace)).find((run) => run.period === period)?.exitCode ?? null,
  contentDigest: (await closingOf(workspace, period))?.report.signOff.contentDigest ?? '',
  outdated: await outdatedLabels(workspace),
});

/** Whether a close ended otherwise than the run before it, with another content, or with one more period out of date. */
export const isNews = ({ exitCode, contentDigest, outdated }: Standing, closed: Closed): boolean =>
  exitCode !== exitCodeOfClose(closed) ||
  contentDigest !== closed.written.report.signOff.contentDigest ||
  closed.outdated.some((label) => !outdated.has(label));
