import {
  type BinaryOperationNode,
  type Dialect,
  type Driver,
  type EmptyInListNode,
  Kysely,
  PostgresDialect,
  PostgresQueryCompiler,
  replaceWithNoncontingentExpression,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { Pool, type PoolClient } from 'pg';
import { TieoutError } from '../kernel/errors.ts';
import { BUSY_WAIT_MS, type Database } from './database.ts';
import { connectError } from './postgres-errors.ts';
import { type PostgresPlace, postgresSettings, takePostgresLock } from './postgres-lock.ts';
import { sqliteDriver } from './sqlite-driver.ts';
import { withReadableErrors } from './with-readable-errors.ts';

type ConnectOptions = {
  /** How long a statement waits for other writers, in milliseconds. */
  readonly busyWaitMs?: number;
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
export const connect = async (url: string, options: ConnectOptions = {}): Promise<Database> => {
  const { dialect, ...described } = describe(url, options.busyWaitMs ?? BUSY_WAIT_MS);
  const tables = new Kysely<unknown>({ dialect });
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    try {
      for (const work of closing.splice(0)) await work();
    } finally {
      await tables.destroy();
    }
  };
  try {
    // The first statement opens the connection, so that an unusable database is refused here and not later.
    await sql`select 1`.execute(tables);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...described,
    tables: <Tables>() => tables as Kysely<Tables>,
    beforeClose: (work) => closing.push(work),
    close,
  };
};

type Described = Pick<Database, 'engine' | 'place' | 'lockOnServer' | 'checkLock'> & {
  readonly dialect: Dialect;
};

const describe = (url: string, busyWaitMs: number): Described => {
  if (url.startsWith(SQLITE) && url.length > SQLITE.length) {
    const path = url.slice(SQLITE.length);
    const dialect = sqliteDialect(sqliteDriver({ path, busyWaitMs }));
    return { engine: 'sqlite', place: path, dialect, checkLock: () => {} };
  }
  if (POSTGRES.test(url) && URL.canParse(url)) return server(url, busyWaitMs);
  throw new TieoutError({
    code: 'E_DATABASE_ADDRESS',
    message: `${POSTGRES.test(url) ? 'The postgres:// address given' : JSON.stringify(url)} is not the address of a database.`,
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
  const pool = new Pool({ ...postgresSettings(place), max: CONNECTIONS_MAX });
  // The pool drops an idle connection that breaks; the next caller gets a new one, or its error.
  pool.on('error', () => {});
  pool.on('connect', (client) => withReadableErrors(client, place.name, refusal));
  const connect = async (): Promise<PoolClient> => {
    try {
      return await pool.connect();
    } catch (error) {
      throw connectError(error, place.name);
    }
  };
  return new OurPostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } });
};

class OurPostgresDialect extends PostgresDialect {
  override createQueryCompiler(): PostgresQueryCompiler {
    return new OurPostgresCompiler();
  }
}

/** Nothing is in an empty list: SQLite knows that, and PostgreSQL refuses such a statement. */
class OurPostgresCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    super.visitBinaryOperation(isInEmptyList(node) ? replaceWithNoncontingentExpression(node) : node);
  }
}

const isInEmptyList = (node: BinaryOperationNode): node is EmptyInListNode =>
  'values' in node.rightOperand &&
  Array.isArray(node.rightOperand.values) &&
  node.rightOperand.values.length === 0;

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
