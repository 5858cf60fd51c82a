import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';

const FIRST_AFTER = 1_000;
const GROWTH = 10;

/**
 * PostgreSQL chooses its indexes by statistics that it gathers by itself a minute or two after the first load. Until
 * then it takes the index of the listings for a single record and reads the whole month, thirty times slower; so they
 * are gathered here when the table has grown by a power of ten. Other engines need nothing of the kind.
 */
export const freshStatistics = (database: Database, table: string): { readonly countWrite: () => void } => {
  if (database.engine !== 'postgres') return { countWrite: () => {} };
  let writes = 0;
  let due = FIRST_AFTER;
  let gathering: Promise<unknown> = Promise.resolve();
  database.beforeClose(async () => {
    await gathering;
  });
  return {
    countWrite: () => {
      writes += 1;
      if (writes < due) return;
      due *= GROWTH;
      // Without statistics it is only slower, and the next attempt may succeed.
      gathering = sql`analyze ${sql.table(table)}`.execute(database.tables()).catch(() => {});
    },
  };
};
