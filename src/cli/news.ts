import { closingOf } from '../close/periods/closing.ts';
import { lastRuns } from '../close/workspace/runs.ts';
import type { Workspace } from '../close/workspace/workspace.ts';
import { type Closed, exitCodeOfClose } from './close-summary.ts';

/** How the last run of a period ended, `null` for one that was killed or none at all, and what is published of it. */
export type Standing = { readonly exitCode: number | null; readonly contentDigest: string };

export const standingOf = async (workspace: Workspace, period: string): Promise<Standing> => ({
  exitCode: (await lastRuns(workspace)).find((run) => run.period === period)?.exitCode ?? null,
  contentDigest: (await closingOf(workspace, period))?.report.signOff.contentDigest ?? '',
});

/** Whether a close ended otherwise than the run before it, or with another content. */
export const isNews = ({ exitCode, contentDigest }: Standing, closed: Closed): boolean =>
  exitCode !== exitCodeOfClose(closed) || contentDigest !== closed.written.report.signOff.contentDigest;
