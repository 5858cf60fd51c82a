import { deleteIn, put, rowsIn } from './queries.ts';
import type { CalculationRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** Answers of a remote service, and which of them are new while everything is asked again. */

/** The answers that are kept under these digests. */
export const answersBy = ({ tables }: Workspace, digests: readonly string[]) =>
  tables
    .selectFrom('calculation')
    .select(['digest', 'request', 'result'])
    .where('digest', 'in', [...new Set(digests)])
    .execute();

export const keepAnswers = ({ upsert }: Workspace, rows: readonly CalculationRow[]): Promise<void> =>
  upsert('calculation', rows);

/** The requests that were answered again since everything is being asked again. */
export const askedAgainOf = async (workspace: Workspace): Promise<Set<string>> => {
  const rows = await rowsIn(workspace, 'asked_again').select('digest').execute();
  return new Set(rows.map(({ digest }) => digest));
};

/** With the answers goes the word that they are new, so that a run that was cut off bills none of them twice. */
export const keepAskedAgain = (workspace: Workspace, rows: readonly CalculationRow[]): Promise<void> =>
  workspace.together(async (within) => {
    await keepAnswers(within, rows);
    await put(
      within,
      'asked_again',
      rows.map(({ digest }) => ({ digest })),
    );
  });

/** Everything was asked again: the next wish for that begins again. */
export const forgetAskedAgain = async (workspace: Workspace): Promise<void> => {
  await deleteIn(workspace, 'asked_again').execute();
};
