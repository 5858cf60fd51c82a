import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import {
  type Dialect,
  type Driver,
  Kysely,
  PostgresDialect,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { Pool, type PoolClient } from 'pg';
import { designedError, TieoutError } from '../kernel/errors.ts';
import { connectError, damagedFile, sqliteError } from './database-errors.ts';
import {
  type PostgresPlace,
  postgresSettings,
  ServerClient,
  type ServerLock,
  takePostgresLock,
  withReadableErrors,
} from './postgres.ts';
import { SYNC_NOW, sqliteDriver } from './sqlite-driver.ts';
import { BUSY_WAIT_MS, unreadable } from './sqlite-file.ts';

type ConnectOptions = {
  /** How long a statement waits for other writers, in milliseconds. */
  readonly busyWaitMs?: number;
  /** For work that can be repeated: a change in a SQLite file survives a power cut once `sync` has returned. */
  readonly syncsLater?: boolean;
};

const SQLITE = 'sqlite:';
const POSTGRES = /^postgres(?:ql)?:\/\//;

/**
 * Open the database at an address: `sqlite:<path>` (created if it is missing, with its folder, readable by its owner
 * only), `sqlite::memory:`, or `postgres://user:password@host:port/name`.
 *
 * @throws {TieoutError} E_DATABASE_ADDRESS, E_DATABASE_ACCESS, E_DATABASE_FOREIGN, E_DATABASE_DAMAGED, E_DATABASE_BUSY,
 * E_DATABASE_UNREACHABLE
 */
export const connect = async (url: string, options: ConnectOptions = {}) => {
  const { dialect, ...described } = describe(url, options);
  const tables = new Kysely<unknown>({ dialect });
  const opened = new AsyncDisposableStack();
  opened.defer(() => tables.destroy());
  try {
    // The first statement opens the connection, so that an unusable database is refused here and not later.
    await sql`select 1`.execute(tables);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
  return {
    ...described,
    tables: <Tables>() => tables as Kysely<Tables>,
    /** Has the disk keep all changes so far, as a server does by itself. */
    sync: async (): Promise<void> => {
      if (described.engine === 'sqlite') await sql.raw(SYNC_NOW).execute(tables);
    },
    /** Register work to do before the database closes, so that the code that closes it need not know of it. */
    beforeClose: (work: () => Promise<void>): void => opened.defer(work),
    close: (): Promise<void> => opened.disposeAsync(),
  };
};

type Described = {
  readonly engine: Engine;
  /** Its location, for messages: never contains a password. */
  readonly place: string;
  readonly dialect: Dialect;
  /** On a server: lock the whole database, see `takeRunLock`; `undefined` when another connection has the lock. */
  readonly lockOnServer?: () => Promise<ServerLock | undefined>;
  /** @throws {TieoutError} E_DATABASE_UNREACHABLE when that lock was lost */
  readonly checkLock: () => void;
};

const describe = (
  url: string,
  { busyWaitMs = BUSY_WAIT_MS, syncsLater = false }: ConnectOptions,
): Described => {
  refuseAddress(url);
  if (!url.startsWith(SQLITE)) return server(url, busyWaitMs);
  const path = url.slice(SQLITE.length);
  const dialect = sqliteDialect(sqliteDriver({ path, busyWaitMs, syncsLater }));
  return { engine: 'sqlite', place: path, dialect, checkLock: () => {} };
};

/** @throws {TieoutError} E_DATABASE_ADDRESS for what is not the address of a database */
export const refuseAddress = (url: string): void => {
  const isServer = POSTGRES.test(url);
  if (isServer ? URL.canParse(url) : url.startsWith(SQLITE) && url.length > SQLITE.length) return;
  throw new TieoutError({
    code: 'E_DATABASE_ADDRESS',
    message: `${isServer ? 'The postgres:// address given' : JSON.stringify(url)} is not the address of a database.`,
    nextStep: 'Write it as sqlite:<path to a file> or postgres://user:password@host:port/name.',
  });
};

const server = (url: string, busyWaitMs: number): Described => {
  const name = withoutPassword(url);
  const place = { url, name, busyWaitMs };
  let lockLost: TieoutError | undefined;
  return {
    engine: 'postgres',
    place: name,
    dialect: postgresDialect(place, () => lockLost),
    lockOnServer: () =>
      takePostgresLock(place, (error) => {
        lockLost = error;
      }),
    checkLock: () => {
      if (lockLost) throw lockLost;
    },
  };
};

const withoutPassword = (url: string): string => {
  const address = new URL(url);
  address.password = '';
  address.searchParams.delete('password');
  return address.toString();
};

const CONNECTIONS_MAX = 10;

/** PostgreSQL through pg. Every error of the server or of the connection to it is described in words. */
const postgresDialect = (place: PostgresPlace, refusal: () => TieoutError | undefined): Dialect => {
  const pool = new Pool({ ...postgresSettings(place), max: CONNECTIONS_MAX, Client: ServerClient });
  // The pool drops an idle connection that breaks; the next caller gets a new one, or its error.
  pool.on('error', () => {});
  pool.on('connect', (client) => withReadableErrors(client, place.name, refusal));
  const connectClient = (): Promise<PoolClient> =>
    pool.connect().catch((error: unknown) => {
      throw connectError(error, place.name);
    });
  return new PostgresDialect({
    pool: { connect: connectClient, end: () => pool.end(), options: pool.options },
  });
};

/** SQLite through Node's own module: no native package to install, and as fast as the best of those. */
export const sqliteDialect = (driver: Driver): Dialect => ({
  createAdapter: () => new OurAdapter(),
  createDriver: () => driver,
  createIntrospector: (tables) => new SqliteIntrospector(tables),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

class OurAdapter extends SqliteAdapter {
  /**
   * SQLite can roll back schema changes, but kysely's adapter does not declare it. With this, a set of migrations is
   * one transaction: it holds the write lock while it determines what is missing, so that two processes cannot both
   * migrate.
   */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** There is a single connection, and the driver queues its users; kysely would wake all of them for every turn. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

export type Engine = 'sqlite' | 'postgres';

/**
 * An open database. Several rooms may keep their tables in the same one, so the query builder is typed by the tables of
 * the calling room: `database.tables<LedgerTables>()`. Transactions are those of the query builder
 * (`tables.transaction().execute(...)`); on SQLite they take the write lock when they begin, so what a transaction has
 * read cannot change before it writes.
 */
export type Database = Awaited<ReturnType<typeof connect>>;

/**
 * Open the database at an address, work with it, and close it in any case. If the work ends with an unexpected error,
 * it may have read damaged data: then the damage is the error, and not a defect.
 *
 * @throws {TieoutError} E_DATABASE_DAMAGED, and those of `connect`
 */
export const withDatabase = async <Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
  options: ConnectOptions = {},
): Promise<Result> => {
  const database = await connect(url, options);
  try {
    return await work(database);
  } catch (error) {
    const isDesigned = (designedError(error)?.recovery ?? 'defect') !== 'defect';
    throw (isDesigned ? undefined : damageOf(database, error)) ?? error;
  } finally {
    await database.close();
  }
};

/**
 * Find the damage of a database whose work ended with an unexpected error: pages that SQLite finds damaged, or JSON in its
 * rows that cannot be read. `undefined` if there is none, so that the error is a defect, and for a database on a server,
 * which checks its pages itself.
 *
 * @param check SQLite's own check: the quick one does not compare indexes with their tables
 */
export const damageOf = (
  { engine, place }: Pick<Database, 'engine' | 'place'>,
  error?: unknown,
  check: 'integrity_check' | 'quick_check' = 'integrity_check',
): TieoutError | undefined => {
  if (engine !== 'sqlite' || !existsSync(place)) return undefined;
  try {
    const file = new DatabaseSync(place, { readOnly: true });
    try {
      const verdict = String(Object.values(file.prepare(`pragma ${check}(1)`).get() ?? {})[0]);
      if (verdict !== 'ok')
        return damagedFile(place, `SQLite’s check found “${verdict.replaceAll('\n', ': ')}”`);
      return error instanceof SyntaxError
        ? damagedFile(place, `a row cannot be read: ${error.message}`)
        : undefined;
    } finally {
      file.close();
    }
  } catch (cause) {
    return sqliteError(unreadable(cause, place), place);
  }
};
