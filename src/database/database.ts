import type { Kysely } from 'kysely';
import type { ServerLock } from './postgres-lock.ts';

export type Engine = 'sqlite' | 'postgres';

/**
 * An open database. Several rooms may keep their tables in the same one, so the query builder is typed by the tables of
 * the calling room: `database.tables<LedgerTables>()`. Transactions are those of the query builder
 * (`tables.transaction().execute(...)`); on SQLite they take the write lock when they begin, so what a transaction has
 * read cannot change before it writes.
 */
export type Database = {
  readonly engine: Engine;
  /** Its location, for messages: never contains a password. */
  readonly place: string;
  readonly tables: <Tables>() => Kysely<Tables>;
  /** Register work to do before the database closes, so that the code that closes it need not know of it. */
  readonly beforeClose: (work: () => Promise<void>) => void;
  /** On a server: lock the whole database, see `takeRunLock`; `undefined` when another connection has the lock. */
  readonly lockOnServer?: () => Promise<ServerLock | undefined>;
  /** @throws {TieoutError} E_DATABASE_UNREACHABLE when that lock was lost */
  readonly checkLock: () => void;
  readonly close: () => Promise<void>;
};

/** How long a statement waits for other writers before it is refused with E_DATABASE_BUSY. */
export const BUSY_WAIT_MS = 10_000;
