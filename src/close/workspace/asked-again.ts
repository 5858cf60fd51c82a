import type { CalculationRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** The requests that were answered again since everything is being asked again. */
export const askedAgainOf = async ({ tables, entity }: Workspace): Promise<Set<string>> => {
  const rows = await tables.selectFrom('asked_again').select('digest').where('entity', '=', entity).execute();
  return new Set(rows.map(({ digest }) => digest));
};

/** With the answers goes the word that they are new, so that a run that was cut off bills none of them twice. */
export const keepAskedAgain = (workspace: Workspace, rows: readonly CalculationRow[]): Promise<void> =>
  workspace.together(async (tables) => {
    const { entity } = workspace;
    await workspace.upsert('calculation', rows, tables);
    await workspace.upsert(
      'asked_again',
      rows.map(({ digest }) => ({ entity, digest })),
      tables,
    );
  });

/** Everything was asked again: the next wish for that begins again. */
export const forgetAskedAgain = async ({ tables, entity }: Workspace): Promise<void> => {
  await tables.deleteFrom('asked_again').where('entity', '=', entity).execute();
};
