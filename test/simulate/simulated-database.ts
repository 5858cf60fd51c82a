import { CompiledQuery, type DatabaseConnection, type Driver, Kysely } from 'kysely';
import { type Database, sqliteDialect } from '../../src/database/connect.ts';
import { sqliteError } from '../../src/database/database-errors.ts';
import { sqliteDriver } from '../../src/database/sqlite-driver.ts';
import type { SimulatedProcess } from './simulated-process.ts';

type Row = Readonly<Record<string, unknown>>;

/** What a database holds for good: the rows of each table. */
export type Content = ReadonlyMap<string, readonly Row[]>;

/** A SQLite database that outlives the processes that open it. */
export type SimulatedDatabase = {
  /** Open it as a process does. */
  readonly open: (process: SimulatedProcess) => Database;
  /** Look at it from outside. */
  readonly rows: (sql: string, ...parameters: readonly unknown[]) => Promise<readonly Row[]>;
  /** How often it was changed for good. */
  readonly changes: () => number;
  /** From now on, or no longer, know what a kill would leave of it. */
  readonly follow: (isFollowed: boolean) => Promise<void>;
  /** What a kill would leave of it now, while it is followed. */
  readonly content: () => Content;
  /** Hold this, and nothing else. */
  readonly restore: (content: Content) => Promise<void>;
};

const FULL = { errcode: 13, errstr: 'database or disk is full' };
const OPTIONS = { path: ':memory:', busyWaitMs: 0 };
const READS = /^\s*(?:select|with(?!.*\b(?:insert|update|delete)\b))\b/is;
/** What a statement changes; of one of another form it is not known. */
const CHANGED = /^\s*(?:insert into|update|delete from)\s+"(\w+)"/i;

const TABLES = `select name from sqlite_schema where type = 'table' and name not like '%migration%'
  and (name not like 'sqlite_%' or name = 'sqlite_sequence')`;

type Ask = (sql: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>;

const asking =
  (connection: DatabaseConnection): Ask =>
  async (sql, parameters = []) =>
    (await connection.executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]))).rows;

/**
 * One real SQLite database in memory behind the real driver. A process that is killed leaves its transaction open, which is
 * rolled back then, as SQLite does when the file is opened next.
 */
export const simulatedDatabase = async (name: string): Promise<SimulatedDatabase> => {
  const real = sqliteDriver(OPTIONS);
  await real.init();
  const alone = async <Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> => {
    const connection = await real.acquireConnection();
    try {
      return await work(asking(connection));
    } finally {
      await real.releaseConnection(connection);
    }
  };
  let tables: readonly string[] | undefined;
  let followed: Map<string, readonly Row[]> | undefined;
  let changes = 0;

  const namesOf = async (ask: Ask): Promise<readonly string[]> => {
    tables ??= (await ask(TABLES)).map((row) => String(row['name']));
    return tables;
  };
  const look = async (ask: Ask, names: Iterable<string>): Promise<void> => {
    const content = new Map(followed);
    for (const table of names) content.set(table, await ask(`select * from "${table}"`));
    followed = content;
  };
  /** Anyone who changed it still holds the connection, so nothing else can have changed. */
  const changed = async (connection: DatabaseConnection, names: ReadonlySet<string>): Promise<void> => {
    changes += 1;
    if (followed === undefined) return;
    const ask = asking(connection);
    await look(
      ask,
      names.has(UNKNOWN)
        ? await namesOf(ask)
        : [...names, ...BESIDE.filter((table) => tables?.includes(table))],
    );
  };

  return {
    open: (process) => databaseOf(name, driverOf(name, real, process, changed)),
    rows: (sql, ...parameters) => alone((ask) => ask(sql, parameters)),
    changes: () => changes,
    follow: (isFollowed) =>
      alone(async (ask) => {
        followed = undefined;
        if (isFollowed) await look(ask, await namesOf(ask));
      }),
    content: () => {
      if (followed === undefined) throw new Error(`the ${name} is not followed`);
      return followed;
    },
    restore: (content) =>
      alone(async (ask) => {
        await ask('begin');
        // Switching the checks off would have every statement prepared again.
        await ask('pragma defer_foreign_keys = on');
        for (const table of await namesOf(ask)) {
          await ask(`delete from "${table}"`);
          for (const row of content.get(table) ?? []) await ask(insertOf(table, row), Object.values(row));
        }
        await ask('commit');
        if (followed) followed = new Map(content);
      }),
  };
};

/** Tables that SQLite, or a trigger, changes together with others. */
const BESIDE = ['sqlite_sequence', 'transaction_day'];
const UNKNOWN = '?';

const insertOf = (table: string, row: Row): string => {
  const columns = Object.keys(row);
  return `insert into "${table}" (${columns.map((column) => `"${column}"`).join(', ')}) values (${columns.map(() => '?').join(', ')})`;
};

const databaseOf = (name: string, driver: Driver): Database => {
  const tables = new Kysely<unknown>({ dialect: sqliteDialect(driver) });
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

type Changed = (connection: DatabaseConnection, tables: ReadonlySet<string>) => Promise<void>;

const driverOf = (name: string, real: Driver, process: SimulatedProcess, changed: Changed): Driver => {
  let held: DatabaseConnection | undefined;
  /** Tables that the open transaction has changed; `undefined` outside of one. */
  let inTransaction: Set<string> | undefined;
  const full = () => sqliteError(FULL, OPTIONS) ?? new Error('the disk is full');
  const write = async <Result>(connection: DatabaseConnection, sql: string, work: () => Promise<Result>) => {
    const result = await work();
    const table = CHANGED.exec(sql)?.[1] ?? UNKNOWN;
    if (inTransaction) inTransaction.add(table);
    else await changed(connection, new Set([table]));
    return result;
  };
  const connectionTo = (connection: DatabaseConnection): DatabaseConnection => ({
    executeQuery: (query) =>
      READS.test(query.sql)
        ? process.read(() => connection.executeQuery(query))
        : process.effect(
            `${name}: ${wordsOf(query.sql)}`,
            () => write(connection, query.sql, () => connection.executeQuery(query)),
            full,
          ),
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
    beginTransaction: (_, settings) =>
      process.read(async () => {
        await real.beginTransaction(mine(), settings);
        inTransaction = new Set();
      }),
    commitTransaction: () =>
      process.effect(
        `${name}: commit`,
        async () => {
          await real.commitTransaction(mine());
          const tables = inTransaction ?? new Set();
          inTransaction = undefined;
          if (tables.size > 0) await changed(mine(), tables);
        },
        full,
      ),
    rollbackTransaction: () =>
      process.read(async () => {
        inTransaction = undefined;
        await real.rollbackTransaction(mine());
      }),
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
