import type { PeriodStateRow } from './period-tables.ts';
import { deleteIn, put, rowsIn } from './queries.ts';
import type { Workspace } from './workspace.ts';

/** The totals of a period in one state at its last close. */
export type PeriodState = Omit<PeriodStateRow, 'entity'>;

/** Store the totals of a period, replacing the earlier ones. */
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

/** Returns the totals of these periods by state, in the order of the labels given. */
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
