import type { Instant } from '../../kernel/calendar.ts';
import { addNumbered, rowsIn } from './queries.ts';
import type { Workspace } from './workspace.ts';

export type PeriodEvent = {
  readonly period: string;
  readonly what:
    | 'locked'
    | 'unlocked'
    | 'carried'
    | 'amended'
    /** Late items were decided, and nothing of them is to be filed. */
    | 'decided'
    | 'adopted'
    | 'signed though NOT READY'
    | 'signed before it was over'
    | 'signature replaced';
  readonly at: Instant;
  /** Who did it, by their own account; empty when they did not say. */
  readonly who: string;
  readonly why: string;
  /** The digest of the lock that was set or removed, or of the signature that was replaced; otherwise empty. */
  readonly digest: string;
};

/** Record permanently what happened to a period. */
export const noteEvent = (workspace: Workspace, event: PeriodEvent): Promise<void> =>
  addNumbered(workspace, 'period_event', [event]);

/** Returns what happened to the periods, oldest first. */
export const eventsOf = async (workspace: Workspace): Promise<readonly PeriodEvent[]> => {
  const rows = await rowsIn(workspace, 'period_event')
    .select(['period', 'what', 'at', 'who', 'why', 'digest'])
    .orderBy('number')
    .execute();
  return rows as unknown as readonly PeriodEvent[];
};

/** Returns the labels whose lock was adopted from a folder: the workspace may not have read the exports behind it. */
export const adoptedLabels = async (workspace: Workspace): Promise<readonly string[]> => {
  const last = new Map((await eventsOf(workspace)).filter(isLock).map(({ period, what }) => [period, what]));
  return [...last].flatMap(([period, what]) => (what === 'adopted' ? period : []));
};

const isLock = ({ what }: PeriodEvent): boolean => what === 'locked' || what === 'adopted';
