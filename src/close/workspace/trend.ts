import type { PeriodStateRow } from './period-tables.ts';
import type { Workspace } from './workspace.ts';

/** What one period came to in one state when it was last closed. */
export type PeriodState = Omit<PeriodStateRow, 'entity'>;

/** Keep what a period comes to now, instead of what was kept of it. */
export const keepPeriod = (
  workspace: Workspace,
  period: string,
  states: readonly Omit<PeriodState, 'period'>[],
): Promise<void> =>
  workspace.together(async (tables) => {
    await tables
      .deleteFrom('period_state')
      .where('entity', '=', workspace.entity)
      .where('period', '=', period)
      .execute();
    const rows = states.map((state) => ({ entity: workspace.entity, period, ...state }));
    await workspace.upsert('period_state', rows, tables);
  });

/** What these periods came to, state by state, in the order of the labels given. */
export const keptPeriods = async (
  { tables, entity }: Workspace,
  labels: readonly string[],
): Promise<readonly PeriodState[]> => {
  if (labels.length === 0) return [];
  const rows = await tables
    .selectFrom('period_state')
    .selectAll()
    .where('entity', '=', entity)
    .where('period', 'in', labels)
    .orderBy('state')
    .execute();
  return labels.flatMap((label) => rows.filter(({ period }) => period === label));
};
