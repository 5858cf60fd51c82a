import { addNumbered, deleteIn, rowsIn, type Said } from './queries.ts';
import type { Workspace } from './workspace.ts';

/** The last decision on a record, and the statement of the record that it was based on. */
export type Decided = { readonly choice: string; readonly destination: string; readonly stated: string };

/** Store decisions. Earlier rows stay, and the last decision on a record applies. */
export const addDecisions = (
  workspace: Workspace,
  decisions: readonly Omit<Said<'late_decision'>, 'number'>[],
): Promise<void> => addNumbered(workspace, 'late_decision', decisions);

/** Returns the decisions that apply, by key of their records, without revoked ones. */
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

/** Revoke the decisions about the late items of a period, and delete the records carried out of it. */
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
