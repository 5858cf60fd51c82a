import type { Workspace } from '../workspace/workspace.ts';

/** What was decided last of a record, and by which statement of it. */
export type Decided = { readonly choice: string; readonly destination: string; readonly stated: string };

/** The decisions that hold, by the keys of their records; one that was revoked holds no more. */
export const decisionsOf = async (
  { tables, entity }: Workspace,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Decided>> => {
  if (keys.length === 0) return new Map();
  const rows = await tables
    .selectFrom('late_decision')
    .select(['key', 'choice', 'destination', 'content as stated'])
    .where('entity', '=', entity)
    .where('key', 'in', keys)
    .orderBy('number')
    .execute();
  const last = new Map(rows.map((row) => [row.key, row]));
  return new Map([...last].filter(([, { choice }]) => choice !== 'revoked'));
};
