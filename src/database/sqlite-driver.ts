import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely';
import { DefectError } from '../kernel/errors.ts';
import { fairLock } from './fair-lock.ts';
import { sqliteError } from './sqlite-errors.ts';
import { openSqliteFile, SETTINGS } from './sqlite-file.ts';
import { type StatementCache, statementCache } from './statement-cache.ts';
import { waitWhileBusy } from './wait-while-busy.ts';

export type SqliteOptions = { readonly path: string; readonly busyWaitMs: number };

/**
 * One connection to a SQLite file, for one user at a time. Node's module is synchronous, so waiting
 * for another writer is done here and not by SQLite: SQLite would block the thread, and with it the other writer,
 * when both are in this process.
 */
export const sqliteDriver = ({ path, busyWaitMs }: SqliteOptions): Driver => {
  let file: DatabaseSync | undefined;
  let connection: DatabaseConnection | undefined;
  const lock = fairLock();
  const attempt = <Result>(work: () => Result): Promise<Result> =>
    waitWhileBusy(work, { busyWaitMs, describe: (error) => sqliteError(error, { path, busyWaitMs }) });

  const opened = async (): Promise<DatabaseSync> => {
    const candidate = await attempt(() => openSqliteFile(path));
    try {
      for (const setting of SETTINGS) await attempt(() => candidate.exec(setting));
    } catch (error) {
      candidate.close();
      throw error;
    }
    return candidate;
  };
  const command = (text: string) => attempt(() => file?.exec(text)).then(() => undefined);

  return {
    init: async () => {
      file = await opened();
      connection = connectionTo(statementCache(file), attempt);
    },
    acquireConnection: async () => {
      if (connection === undefined) throw new DefectError(`${path} was used before it was opened`);
      await lock.take();
      return connection;
    },
    // A transaction that starts by reading and writes later would be refused at once when somebody else wrote in
    // between, without waiting. Taking the write lock first makes it wait its turn instead.
    beginTransaction: (_, settings: TransactionSettings) =>
      command(settings.accessMode === 'read only' ? 'begin' : 'begin immediate'),
    commitTransaction: () => command('commit'),
    // SQLite has already rolled back by itself when the disk was full or failed.
    rollbackTransaction: async () => {
      if (file?.isTransaction) await command('rollback');
    },
    releaseConnection: async () => lock.release(),
    destroy: async () => file?.close(),
  };
};

const connectionTo = (
  statements: StatementCache,
  attempt: <Result>(work: () => Result) => Promise<Result>,
): DatabaseConnection => ({
  executeQuery: <Row>({ sql, parameters }: CompiledQuery) =>
    attempt((): QueryResult<Row> => {
      const { statement, reader } = statements.prepare(sql);
      const values = parameters.map(inputOf);
      if (reader) return { rows: statement.all(...values) as Row[] };
      const { changes, lastInsertRowid } = statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    }),
  streamQuery: () => {
    throw new DefectError('a stream would hold the only connection while its reader works: read in pages');
  },
});

const inputOf = (value: unknown): SQLInputValue => {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value === undefined ? null : (value as SQLInputValue);
};
