import { sql } from 'kysely';
import type { Database } from './database.ts';

const FIRST_AFTER = 1_000;
const GROWTH = 10;

/** A counter of the rows written to a table. */
export type FreshStatistics = { readonly countWrites: (rows: number) => void };

/**
 * Gather statistics on PostgreSQL whenever a table has grown tenfold. The server chooses indexes by statistics that it
 * gathers by itself only a minute or two after the first load. Until then it looks up a single record with the index of
 * a listing and reads the whole month, thirty times slower. Other engines do not need this.
 */
export const freshStatistics = (database: Database, table: string): FreshStatistics => {
  if (database.engine !== 'postgres') return { countWrites: () => {} };
  let writes = 0;
  let due = FIRST_AFTER;
  let gathering: Promise<unknown> = Promise.resolve();
  database.beforeClose(async () => {
    await gathering;
  });
  return {
    countWrites: (rows) => {
      writes += rows;
      if (writes < due) return;
      while (due <= writes) due *= GROWTH;
      // Without statistics queries are only slower, and the next attempt may succeed.
      gathering = sql`analyze ${sql.table(table)}`.execute(database.tables()).catch(() => {});
    },
  };
};
