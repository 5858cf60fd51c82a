import { addNumbered, deleteIn, rowsIn, type Said } from './queries.ts';
import type { Workspace } from './workspace.ts';

/** What was decided last of a record, and by which statement of it. */
export type Decided = { readonly choice: string; readonly destination: string; readonly stated: string };

/** Write down what was decided. What was written before stays: the last decision of a record holds. */
export const addDecisions = (
  workspace: Workspace,
  decisions: readonly Omit<Said<'late_decision'>, 'number'>[],
): Promise<void> => addNumbered(workspace, 'late_decision', decisions);

/** The decisions that hold, by the keys of their records; one that was revoked holds no more. */
export const decisionsOf = async (
  workspace: Workspace,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Decided>> => {
  if (keys.length === 0) return new Map();
  const rows = await rowsIn(workspace, 'late_decision')
    .select(['key', 'choice', 'destination', 'content as stated'])
    .where('key', 'in', keys)
    .orderBy('number')
    .execute();
  return standing(rows);
};

/** Revoke what was decided of the late items of a period, and take what was carried for it away. */
export const revokeDecisions = async (
  workspace: Workspace,
  period: string,
  by: Pick<Said<'late_decision'>, 'decided' | 'who' | 'why'>,
): Promise<void> => {
  await deleteIn(workspace, 'carried_sale').where('source', '=', period).execute();
  const decided = await rowsIn(workspace, 'late_decision')
    .select(['key', 'choice'])
    .where('period', '=', period)
    .orderBy('number')
    .execute();
  const revoked = { period, choice: 'revoked', destination: '', content: '', ...by };
  await addDecisions(
    workspace,
    [...standing(decided).keys()].map((key) => ({ ...revoked, key })),
  );
};

const standing = <Row extends { readonly key: string; readonly choice: string }>(
  rows: readonly Row[],
): ReadonlyMap<string, Row> => {
  const last = new Map(rows.map((row) => [row.key, row]));
  return new Map([...last].filter(([, { choice }]) => choice !== 'revoked'));
};
