import type { SaleCalculationRow } from './tables.ts';
import type { Workspace, WorkspaceQueries } from './workspace.ts';

/** Note which service answers for the entity from now on. When it is another one, what that one said may be orphaned. */
export const noteAnswering = async (
  { tables, upsert, entity }: Workspace,
  service: string,
): Promise<void> => {
  const known = await tables
    .selectFrom('answering')
    .select('service')
    .where('entity', '=', entity)
    .executeTakeFirst();
  if (known?.service === service) return;
  await upsert('answering', [{ entity, service, orphans: known ? 1 : 0 }]);
};

/** Note, together with rows that take the place of others, when those were calculated in other circumstances. */
export const noteReplaced = async (
  { entity }: Workspace,
  rows: readonly SaleCalculationRow[],
  within: WorkspaceQueries,
): Promise<void> => {
  await within
    .updateTable('answering')
    .set({ orphans: 1 })
    .where('entity', '=', entity)
    .where('orphans', '=', 0)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('sale_calculation')
          .select('key')
          .where('entity', '=', entity)
          .where(
            'key',
            'in',
            rows.map(({ key }) => key),
          )
          .where('context', '<>', rows[0]?.context ?? ''),
      ),
    )
    .execute();
};

/** Whether there may be answers that nothing refers to any more. */
export const hasOrphans = async ({ tables, entity }: Workspace): Promise<boolean> => {
  const row = await tables
    .selectFrom('answering')
    .select('orphans')
    .where('entity', '=', entity)
    .executeTakeFirst();
  return row?.orphans === 1;
};

/** The ids of the services that answer for the entities of the workspace. */
export const answeringServices = async ({ tables }: Workspace): Promise<readonly string[]> => {
  const rows = await tables.selectFrom('answering').select('service').execute();
  return rows.map(({ service }) => service);
};

export const noteNoOrphans = async ({ tables, entity }: Workspace): Promise<void> => {
  await tables.updateTable('answering').set({ orphans: 0 }).where('entity', '=', entity).execute();
};
