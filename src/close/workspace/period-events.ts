import type { Instant } from '../../kernel/calendar.ts';
import { rowsIn } from './queries.ts';
import type { Workspace } from './workspace.ts';

export type PeriodEvent = {
  readonly period: string;
  readonly what:
    | 'locked'
    | 'unlocked'
    | 'carried'
    | 'amended'
    /** Late items were decided, and there is nothing to file for them. */
    | 'decided'
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

/** Returns what happened to the periods, oldest first. */
export const eventsOf = async (workspace: Workspace): Promise<readonly PeriodEvent[]> => {
  const rows = await rowsIn(workspace, 'period_event')
    .select(['period', 'what', 'at', 'who', 'why', 'digest'])
    .orderBy('number')
    .execute();
  return rows as unknown as readonly PeriodEvent[];
};

/** The last time that a period, or an amended version of one, was locked. */
export type Locking = {
  readonly label: string;
  /** When it was locked, in whatever workspace. */
  readonly at: Instant;
};

/** Returns when each label was locked last, the earliest first. */
export const lockingsOf = async (workspace: Workspace): Promise<readonly Locking[]> => {
  const last = new Map<string, Locking>();
  for (const { period: label, what, at } of await eventsOf(workspace)) {
    if (what !== 'locked') continue;
    last.delete(label);
    last.set(label, { label, at });
  }
  return [...last.values()].sort((one, other) => one.at - other.at);
};
