import { closeSync, fdatasync, openSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { promisify } from 'node:util';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely';
import { DefectError } from '../kernel/errors.ts';
import { sqliteError } from './database-errors.ts';
import { openSqliteFile, SETTINGS, waitWhileBusy } from './sqlite-file.ts';

export type SqliteOptions = {
  readonly path: string;
  readonly busyWaitMs: number;
  /** How to sync a file to disk; `syncFile` when absent. */
  readonly sync?: SyncFile;
};

/**
 * Open the one connection to a SQLite file, for one user at a time. Node's module is synchronous, so waiting for
 * another writer is done here and not by SQLite, which would block the thread, and with it the other writer if both are
 * in this process. Disk syncs are awaited here for the same reason: the connection is free for the next user as soon as
 * a change is in SQLite's log, and its user is answered when the log is on disk.
 */
export const sqliteDriver = ({ path, busyWaitMs, sync = syncFile }: SqliteOptions): Driver => {
  let file: DatabaseSync | undefined;
  let connection: DatabaseConnection | undefined;
  let log: Log | undefined;
  let hasChanged = false;
  const lock = fairLock();
  const describe = (error: unknown) => sqliteError(error, path);
  const attempt = <Result>(work: () => Result): Promise<Result> =>
    waitWhileBusy(work, { busyWaitMs, describe });
  const synced = (descriptor: number): Promise<void> =>
    sync(descriptor).catch((error: unknown) => {
      throw describe(error) ?? error;
    });

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
  const release = (): boolean => {
    const changed = hasChanged;
    hasChanged = false;
    lock.release();
    return changed;
  };

  return {
    init: async () => {
      const candidate = await opened();
      try {
        log = await attempt(() => logOf(candidate, synced));
      } catch (error) {
        // A driver that could not be opened is never destroyed.
        candidate.close();
        throw error;
      }
      file = candidate;
      connection = connectionTo(statementCache(file), attempt, () => {
        hasChanged = true;
      });
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
    releaseConnection: async () => {
      if (release()) log?.wrote();
      await log?.onDisk();
    },
    destroy: async () => {
      try {
        await log?.onDisk();
      } finally {
        // SQLite removes the log when it closes the file, which some systems do not allow while the log is open.
        log?.close();
        file?.close();
      }
    },
  };
};

type Log = DiskLog & { readonly close: () => void };

/**
 * Return the log of a file, which SQLite then no longer syncs after each commit; `undefined` when the file has none,
 * because it is in memory or its file system cannot share memory, and SQLite keeps syncing it.
 */
const logOf = (file: DatabaseSync, sync: SyncFile): Log | undefined => {
  const place = file.location();
  const mode = file.prepare('pragma journal_mode').get()?.['journal_mode'];
  if (place === null || mode !== 'wal') return undefined;
  // The first read creates the log if it is missing.
  file.prepare('select count(*) from sqlite_schema').get();
  file.exec('pragma synchronous = normal');
  const descriptor = openSync(`${place}-wal`, 'r+');
  return { ...diskLog(() => sync(descriptor)), close: () => closeSync(descriptor) };
};

const connectionTo = (
  statements: StatementCache,
  attempt: <Result>(work: () => Result) => Promise<Result>,
  changed: () => void,
): DatabaseConnection => ({
  executeQuery: <Row>({ sql, parameters }: CompiledQuery) =>
    attempt((): QueryResult<Row> => {
      const { statement, reader, writer } = statements.prepare(sql);
      const values = parameters.map(inputOf);
      if (writer) changed();
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

/** A lock with one holder at a time, in the order of requests. */
type FairLock = {
  readonly take: () => Promise<void>;
  readonly release: () => void;
};

/** Each user waits for the one before: waking all of them for every turn would cost the square of their number. */
const fairLock = (): FairLock => {
  let last: Promise<void> = Promise.resolve();
  let open = (): void => {};
  return {
    take: async () => {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      await before;
      open = resolve;
    },
    release: () => open(),
  };
};

/** A prepared statement, whether it returns rows, and whether it may change some. */
type Prepared = {
  readonly statement: StatementSync;
  readonly reader: boolean;
  readonly writer: boolean;
};
type StatementCache = { readonly prepare: (text: string) => Prepared };

/** Statements that certainly change no rows. One that begins with `with` may change some. */
const READS = /^\s*select\b/i;

const STATEMENTS_MAX = 64;

/** Prepare each statement text once; beyond the limit, drop the least recently used. */
const statementCache = (file: DatabaseSync): StatementCache => {
  const kept = new Map<string, Prepared>();
  return {
    prepare: (text) => {
      let prepared = kept.get(text);
      if (prepared === undefined) {
        const statement = file.prepare(text);
        prepared = { statement, reader: statement.columns().length > 0, writer: !READS.test(text) };
      } else kept.delete(text);
      kept.set(text, prepared);
      const oldest = kept.size > STATEMENTS_MAX ? kept.keys().next().value : undefined;
      if (oldest !== undefined) kept.delete(oldest);
      return prepared;
    },
  };
};

/** The state of a log: what is committed, and whether it is on disk. */
type DiskLog = {
  /** Count a commit that may not be on disk yet. */
  readonly wrote: () => void;
  /** Resolves when all current commits are on disk. @throws the error of the disk, permanently from then on */
  readonly onDisk: () => Promise<void>;
};

/** Syncs to disk what was written to an open file. */
type SyncFile = (descriptor: number) => Promise<void>;

export const syncFile: SyncFile = promisify(fdatasync);

/**
 * Wait for the disk without blocking the thread. One sync at a time: all commits during a sync wait for the next one
 * together. After a failed sync it is unknown what is on disk, so nothing counts as written any more.
 */
const diskLog = (sync: () => Promise<void>): DiskLog => {
  let written = 0;
  let synced = 0;
  let trip: Promise<void> | undefined;
  const syncOnce = async (): Promise<void> => {
    const upTo = written;
    await sync();
    synced = upTo;
    trip = undefined;
  };
  return {
    wrote: () => {
      written += 1;
    },
    onDisk: async () => {
      const wanted = written;
      while (synced < wanted) {
        trip ??= syncOnce();
        await trip;
      }
    },
  };
};
