import { sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';

/** Which run came after which does not depend on the clock. What was noted before is numbered as its clock had it. */
export const runNumbers = async ({ tables, integer }: Schema): Promise<void> => {
  await tables.schema
    .alterTable('run')
    .addColumn('number', integer as never, (definition) => definition.notNull().defaultTo(0))
    .execute();
  await sql`
    update run set number = (
      select count(*) from run as other
      where other.entity = run.entity and (other.started, other.id) <= (run.started, run.id)
    )`.execute(tables);
};
