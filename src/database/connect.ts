import { type Dialect, Kysely, sql } from 'kysely';
import { TieoutError } from '../kernel/errors.ts';
import { BUSY_WAIT_MS, type Database } from './database.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { takePostgresLock } from './postgres-lock.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

export type ConnectOptions = {
  /** How long a statement waits for other writers, in milliseconds. */
  readonly busyWaitMs?: number;
};

const SQLITE = 'sqlite:';
const POSTGRES = /^postgres(?:ql)?:\/\//;

/**
 * Open the database at an address: `sqlite:<path>` (created when it is not there, with its folder, readable by its
 * owner only), `sqlite::memory:`, or `postgres://user:password@host:port/name`.
 *
 * @throws {TieoutError} E_DATABASE_ADDRESS, E_DATABASE_ACCESS, E_DATABASE_FOREIGN, E_DATABASE_DAMAGED,
 * E_DATABASE_BUSY, E_DATABASE_UNREACHABLE
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
    const dialect = sqliteDialect({ path, busyWaitMs });
    return { engine: 'sqlite', place: path, dialect, checkLock: () => {} };
  }
  if (POSTGRES.test(url) && URL.canParse(url)) return server(url, busyWaitMs);
  throw new TieoutError({
    code: 'E_DATABASE_ADDRESS',
    recovery: 'fix-config',
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
