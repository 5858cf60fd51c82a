import { CompiledQuery, type DatabaseConnection, type Driver, Kysely } from 'kysely';
import type { Database } from '../../src/database/database.ts';
import { sqliteDialect } from '../../src/database/sqlite-dialect.ts';
import { sqliteDriver } from '../../src/database/sqlite-driver.ts';
import { sqliteError } from '../../src/database/sqlite-errors.ts';
import type { SimulatedProcess } from './simulated-process.ts';

type Row = Readonly<Record<string, unknown>>;

/** A SQLite database that outlives the processes that open it. */
export type SimulatedDatabase = {
  /** Open it as a process does. */
  readonly open: (process: SimulatedProcess) => Database;
  /** Look at it from outside. */
  readonly rows: (sql: string, ...parameters: readonly unknown[]) => Promise<readonly Row[]>;
  /** Delete every row, so that the next history begins with the tables alone. */
  readonly empty: () => Promise<void>;
};

const FULL = { errcode: 13, errstr: 'database or disk is full' };
const OPTIONS = { path: ':memory:', busyWaitMs: 0 };
const READS = /^\s*(?:select|with(?!.*\b(?:insert|update|delete)\b))\b/is;

/**
 * One real SQLite database in memory behind the real driver. A process that is killed leaves its transaction open, which is
 * rolled back then, as SQLite does when the file is opened next.
 */
export const simulatedDatabase = async (name: string): Promise<SimulatedDatabase> => {
  const real = sqliteDriver(OPTIONS);
  await real.init();
  const alone = async <Result>(work: (connection: DatabaseConnection) => Promise<Result>) => {
    const connection = await real.acquireConnection();
    try {
      return await work(connection);
    } finally {
      await real.releaseConnection(connection);
    }
  };
  const ask = async (connection: DatabaseConnection, sql: string, parameters: readonly unknown[] = []) =>
    (await connection.executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]))).rows;
  let emptying: readonly string[] | undefined;

  return {
    open: (process) => databaseOf(name, driverOf(name, real, process)),
    rows: (sql, ...parameters) => alone((connection) => ask(connection, sql, parameters)),
    empty: () =>
      alone(async (connection) => {
        emptying ??= (await ask(connection, TABLES)).map((row) => `delete from "${String(row['name'])}"`);
        for (const statement of ['pragma foreign_keys = off', ...emptying, 'pragma foreign_keys = on'])
          await ask(connection, statement);
      }),
  };
};

const TABLES = `select name from sqlite_schema where type = 'table' and name not like '%migration%'
  and (name not like 'sqlite_%' or name = 'sqlite_sequence')`;

const databaseOf = (name: string, driver: Driver): Database => {
  const dialect = { ...sqliteDialect(OPTIONS), createDriver: () => driver };
  const tables = new Kysely<unknown>({ dialect });
  const closing: (() => Promise<void>)[] = [];
  return {
    engine: 'sqlite',
    place: `the simulated ${name}`,
    tables: <Tables>() => tables as Kysely<Tables>,
    beforeClose: (work) => closing.push(work),
    checkLock: () => {},
    close: async () => {
      for (const work of closing.splice(0)) await work();
    },
  };
};

const driverOf = (name: string, real: Driver, process: SimulatedProcess): Driver => {
  let held: DatabaseConnection | undefined;
  const full = () => sqliteError(FULL, OPTIONS) ?? new Error('the disk is full');
  const connectionTo = (connection: DatabaseConnection): DatabaseConnection => ({
    executeQuery: (query) =>
      READS.test(query.sql)
        ? process.read(() => connection.executeQuery(query))
        : process.effect(`${name}: ${wordsOf(query.sql)}`, () => connection.executeQuery(query), full),
    streamQuery: (query, size) => connection.streamQuery(query, size),
  });
  process.afterKill(async () => {
    if (held === undefined) return;
    await real.rollbackTransaction(held);
    await real.releaseConnection(held);
  });
  const mine = (): DatabaseConnection => held as DatabaseConnection;
  return {
    init: async () => {},
    acquireConnection: () =>
      process.read(async () => {
        const connection = await real.acquireConnection();
        if (process.isAlive()) held = connection;
        else await real.releaseConnection(connection);
        return connectionTo(connection);
      }),
    beginTransaction: (_, settings) => process.read(() => real.beginTransaction(mine(), settings)),
    commitTransaction: () => process.effect(`${name}: commit`, () => real.commitTransaction(mine()), full),
    rollbackTransaction: () => process.read(() => real.rollbackTransaction(mine())),
    releaseConnection: () =>
      process.read(async () => {
        const connection = mine();
        held = undefined;
        await real.releaseConnection(connection);
      }),
    destroy: async () => {},
  };
};

/** `insert into "sale"`: the first words of a statement. */
const wordsOf = (sql: string): string => sql.split(/\s+/).slice(0, 3).join(' ');
