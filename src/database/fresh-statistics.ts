import { sql } from 'kysely';
import type { Database } from './database.ts';

const FIRST_AFTER = 1_000;
const GROWTH = 10;

/** Told how many rows were written into a table. */
export type FreshStatistics = { readonly countWrites: (rows: number) => void };

/**
 * PostgreSQL chooses its indexes by statistics that it gathers by itself a minute or two after the first load. Until
 * then it takes the index of a listing for a single record and reads the whole month, thirty times slower; so they
 * are gathered here when a table has grown by a power of ten. Other engines need nothing of the kind.
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
      // Without statistics it is only slower, and the next attempt may succeed.
      gathering = sql`analyze ${sql.table(table)}`.execute(database.tables()).catch(() => {});
    },
  };
};
