import { put, rowsIn } from './queries.ts';
import type { CalculationRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** Answers of a remote service, and which of them are new while all requests are being repeated. */

/** Returns the answers that are stored under these digests. */
export const answersBy = ({ tables }: Workspace, digests: readonly string[]) =>
  tables
    .selectFrom('calculation')
    .select(['digest', 'request', 'result'])
    .where('digest', 'in', [...new Set(digests)])
    .execute();

export const keepAnswers = ({ upsert }: Workspace, rows: readonly CalculationRow[]): Promise<void> =>
  upsert('calculation', rows);

/** Returns the requests that were already answered again in the repetition of all requests that is under way. */
export const askedAgainOf = async (workspace: Workspace): Promise<Set<string>> => {
  const rows = await rowsIn(workspace, 'asked_again').select('digest').execute();
  return new Set(rows.map(({ digest }) => digest));
};

/**
 * Store answers together with the mark that they are new, so that an interrupted run is not billed twice for any of
 * them.
 */
export const keepAskedAgain = (workspace: Workspace, rows: readonly CalculationRow[]): Promise<void> =>
  workspace.together(async (within) => {
    await keepAnswers(within, rows);
    await put(
      within,
      'asked_again',
      rows.map(({ digest }) => ({ digest })),
    );
  });
