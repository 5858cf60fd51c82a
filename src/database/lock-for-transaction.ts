import { type QueryExecutorProvider, sql } from 'kysely';
import type { Database } from './database.ts';

/** The first key of locks of one transaction in PostgreSQL: "TIET". */
const LOCK_SPACE = 0x54494554;

/** How long a process may do nothing within such a transaction before the server ends it. */
const IDLE_MAX = '10s';

/**
 * Take the lock of a name until the transaction ends, and wait for it as long as another one works. The server ends a
 * transaction whose process was suspended or cut off, so that it keeps nothing from others. On SQLite a transaction has
 * the database to itself.
 *
 * @throws {TieoutError} E_DATABASE_UNREACHABLE, later, when this process does nothing for 10 seconds
 */
export const lockForTransaction = async (
  { engine }: Pick<Database, 'engine'>,
  within: QueryExecutorProvider,
  name: string,
): Promise<void> => {
  if (engine === 'sqlite') return;
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(IDLE_MAX)}`.execute(within);
  await sql`set local lock_timeout = 0`.execute(within);
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_SPACE)}, hashtext(${name}))`.execute(within);
};
