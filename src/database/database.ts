import type { Kysely } from 'kysely';
import type { ServerLock } from './postgres-lock.ts';

export type Engine = 'sqlite' | 'postgres';

/**
 * An open database. Several rooms may keep their tables in the same one, so the query builder is typed by the
 * tables of the room that asks: `database.tables<LedgerTables>()`. Transactions are the query builder's own
 * (`tables.transaction().execute(...)`); on SQLite they take the write lock when they begin, so what a transaction
 * has read cannot change before it writes.
 */
export type Database = {
  readonly engine: Engine;
  /** Where it is, for messages: never contains a password. */
  readonly place: string;
  readonly tables: <Tables>() => Kysely<Tables>;
  /**
   * The same tables, for what can be made again from the rest: on SQLite a write is answered when it is committed, and not only when
   * the disk has it. A process that is killed loses none. A power cut may lose the last ones, but never one without all behind it, and
   * none of those before a write through `tables`.
   */
  readonly tablesOfDerived: <Tables>() => Kysely<Tables>;
  /** Have something written before the database closes, which anyone who closes it need not know about. */
  readonly beforeClose: (work: () => Promise<void>) => void;
  /** On a server: lock the database as a whole, see `takeRunLock`; `undefined` when somebody else has it. */
  readonly lockOnServer?: () => Promise<ServerLock | undefined>;
  /** @throws {TieoutError} E_DATABASE_UNREACHABLE when that lock was lost */
  readonly checkLock: () => void;
  readonly close: () => Promise<void>;
};

/** How long a statement waits for other writers before it is refused with E_DATABASE_BUSY. */
export const BUSY_WAIT_MS = 10_000;
