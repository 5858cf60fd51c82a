import type { Instant } from '../../kernel/calendar.ts';
import type { Workspace, WorkspaceQueries } from '../workspace/workspace.ts';

export type PeriodEvent = {
  readonly period: string;
  readonly what:
    | 'locked'
    | 'unlocked'
    | 'carried'
    | 'amended'
    | 'adopted'
    | 'signed though NOT READY'
    | 'signature replaced';
  readonly at: Instant;
  /** Who did it, as they said themselves; empty when they did not. */
  readonly who: string;
  readonly why: string;
  /** The digest of the lock that was set or taken away, or of the signature that was replaced; empty for the rest. */
  readonly digest: string;
};

/** Note for ever what happened to a period. */
export const noteEvent = async (
  workspace: Workspace,
  tables: WorkspaceQueries,
  event: PeriodEvent,
): Promise<void> => {
  const last = await tables
    .selectFrom('period_event')
    .select(({ fn }) => fn.max('number').as('number'))
    .where('entity', '=', workspace.entity)
    .executeTakeFirst();
  const number = Number(last?.number ?? 0) + 1;
  await workspace.upsert('period_event', [{ entity: workspace.entity, number, ...event }], tables);
};

/** What happened to the periods, oldest first. */
export const eventsOf = async ({ tables, entity }: Workspace): Promise<readonly PeriodEvent[]> => {
  const rows = await tables
    .selectFrom('period_event')
    .select(['period', 'what', 'at', 'who', 'why', 'digest'])
    .where('entity', '=', entity)
    .orderBy('number')
    .execute();
  return rows as unknown as readonly PeriodEvent[];
};
