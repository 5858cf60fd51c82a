import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely';
import { DefectError } from '../kernel/errors.ts';
import { openSqliteFile, SETTINGS, waitWhileBusy } from './sqlite-file.ts';

export type SqliteOptions = {
  readonly path: string;
  readonly busyWaitMs: number;
  /** Whether writes survive a power cut only once the caller asks for it; they survive the end of the process anyway. */
  readonly syncsLater: boolean;
};

/** SQLite syncs its log where it moves changes from there into the file. */
const SYNC_LATER = 'pragma synchronous = normal';
export const SYNC_NOW = 'pragma wal_checkpoint(full)';

/**
 * Open the one connection to a SQLite file, for one user at a time. Node's module is synchronous, so waiting for
 * another writer is done here and not by SQLite, which would block the thread, and with it the other writer if both are
 * in this process.
 */
export const sqliteDriver = ({ path, busyWaitMs, syncsLater }: SqliteOptions): Driver => {
  let file: DatabaseSync | undefined;
  let connection: DatabaseConnection | undefined;
  const lock = fairLock();
  const attempt = <Result>(work: () => Result): Promise<Result> => waitWhileBusy(path, busyWaitMs, work);
  const command = (text: string) => attempt(() => file?.exec(text)).then(() => undefined);
  return {
    init: async () => {
      const candidate = await attempt(() => openSqliteFile(path));
      try {
        for (const setting of [...SETTINGS, ...(syncsLater ? [SYNC_LATER] : [])])
          await attempt(() => candidate.exec(setting));
      } catch (error) {
        // A driver that could not be opened is never destroyed.
        candidate.close();
        throw error;
      }
      file = candidate;
      connection = connectionTo(preparing(file), attempt);
    },
    acquireConnection: async () => {
      if (connection === undefined) throw new DefectError(`${path} was used before it was opened`);
      await lock.take();
      return connection;
    },
    // A transaction that starts by reading and writes later would be refused at once, without waiting, if another
    // connection wrote in between. Taking the write lock first makes it wait its turn.
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
  prepare: (text: string) => Prepared,
  attempt: <Result>(work: () => Result) => Promise<Result>,
): DatabaseConnection => ({
  executeQuery: <Row>({ sql, parameters }: CompiledQuery) =>
    attempt((): QueryResult<Row> => {
      const { statement, reader } = prepare(sql);
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

/**
 * A lock with one holder at a time, in the order of requests. Each user waits for the one before: waking all of them for
 * every turn would cost the square of their number.
 */
const fairLock = () => {
  let last: Promise<void> = Promise.resolve();
  let open = (): void => {};
  return {
    take: async (): Promise<void> => {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      await before;
      open = resolve;
    },
    release: (): void => open(),
  };
};

/** A prepared statement, and whether it returns rows. */
type Prepared = {
  readonly statement: StatementSync;
  readonly reader: boolean;
};

const STATEMENTS_MAX = 64;

/** Prepare each statement text once; beyond the limit, drop the least recently used. */
const preparing = (file: DatabaseSync) => {
  const kept = new Map<string, Prepared>();
  return (text: string): Prepared => {
    let prepared = kept.get(text);
    if (prepared === undefined) {
      const statement = file.prepare(text);
      prepared = { statement, reader: statement.columns().length > 0 };
    } else kept.delete(text);
    kept.set(text, prepared);
    const oldest = kept.size > STATEMENTS_MAX ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
    return prepared;
  };
};
