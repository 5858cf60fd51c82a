import type { PeriodStateRow } from './period-tables.ts';
import { deleteIn, put, rowsIn } from './queries.ts';
import type { Workspace } from './workspace.ts';

/** What one period came to in one state when it was last closed. */
export type PeriodState = Omit<PeriodStateRow, 'entity'>;

/** Keep what a period comes to now, instead of what was kept of it. */
export const keepPeriod = (
  workspace: Workspace,
  period: string,
  states: readonly Omit<PeriodState, 'period'>[],
): Promise<void> =>
  workspace.together(async (within) => {
    await deleteIn(within, 'period_state').where('period', '=', period).execute();
    await put(
      within,
      'period_state',
      states.map((state) => ({ period, ...state })),
    );
  });

/** What these periods came to, state by state, in the order of the labels given. */
export const keptPeriods = async (
  workspace: Workspace,
  labels: readonly string[],
): Promise<readonly PeriodState[]> => {
  if (labels.length === 0) return [];
  const rows = await rowsIn(workspace, 'period_state')
    .selectAll()
    .where('period', 'in', labels)
    .orderBy('state')
    .execute();
  return labels.flatMap((label) => rows.filter(({ period }) => period === label));
};
