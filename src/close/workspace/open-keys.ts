import { sql } from 'kysely';
import { CUT_SHORT, UNEXPLAINED } from './expectation-of.ts';
import type { Workspace } from './workspace.ts';

/** Whether a row says that the own calculation of its sale leaves a variance open. */
export const isOpenDetail = (detail: string): boolean => detail === UNEXPLAINED || detail === CUT_SHORT;

/** The keys of all sales of the entity whose variance is open. */
export const openKeysOf = async ({ tables, entity }: Workspace): Promise<readonly string[]> => {
  const rows = await tables
    .selectFrom('sale_calculation')
    .select(['key', 'detail'])
    .where('entity', '=', entity)
    .where(sql<boolean>`detail <> ''`)
    .orderBy('key')
    .execute();
  return rows.flatMap(({ key, detail }) => (isOpenDetail(detail) ? [key] : []));
};
