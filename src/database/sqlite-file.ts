import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { TieoutError } from '../kernel/errors.ts';
import { makeFolder } from '../runtime/publish-folder.ts';
import { damagedFile, foreignFile, sqliteError } from './database-errors.ts';

/** How long a statement waits for other writers before it is refused with E_DATABASE_BUSY. */
export const BUSY_WAIT_MS = 10_000;

/** "TIEO", written to the header of every file of Tieout, so that a file of another program is never altered. */
const APPLICATION_ID = 0x5449454f;

/**
 * Settings of every connection. An acknowledged write survives a power cut (`synchronous = full`), readers never wait for writers (`wal`), and waiting for writers happens outside
 * SQLite (`busy_timeout = 0`; see the driver).
 */
export const SETTINGS = [
  'pragma busy_timeout = 0',
  `pragma application_id = ${APPLICATION_ID}`,
  'pragma journal_mode = wal',
  'pragma synchronous = full',
  // Checkpoint every 64 MB of log instead of every 4: the same pages are written again and again.
  'pragma wal_autocheckpoint = 16384',
  'pragma cache_size = -4096',
  'pragma foreign_keys = on',
] as const;

/** Open a file, or create it for its owner only. @throws E_DATABASE_FOREIGN when it belongs to another program */
export const openSqliteFile = (path: string): DatabaseSync => {
  if (path !== ':memory:') {
    makeFolder(dirname(path), 0o700);
    createIfMissing(path);
  }
  const file = new DatabaseSync(path);
  try {
    if (!isOurs(file)) throw foreignFile(path, '');
  } catch (error) {
    file.close();
    throw unreadable(error, path);
  }
  return file;
};

/**
 * Create a file for its owner only, unless it is there. SQLite gives its side files the mode of the main file, so this
 * decides for all of them. A file that is there is not opened: closing any descriptor of a file drops all locks of this
 * process on it (POSIX), also those of SQLite's other connections. Another process could then take the run lock, or
 * remove the log of a database in use; only recent versions of SQLite prevent the second.
 *
 * @throws the error of the file system, also for a folder
 */
export const createIfMissing = (path: string): void => {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  if (!isFile) closeSync(openSync(path, 'a', 0o600));
};

const SQLITE_ERROR = 1;

/** Describe an error of a query that SQLite can answer for every sound file: it means that the file is damaged. */
export const unreadable = (error: unknown, path: string): unknown => {
  const { errcode, message } = error as { readonly errcode?: number; readonly message: string };
  return errcode === SQLITE_ERROR ? damagedFile(path, message) : error;
};

/** Whether a file belongs to Tieout, or is still empty. */
const isOurs = (file: DatabaseSync): boolean => {
  const tables = file.prepare('select count(*) as count from sqlite_schema').get()?.['count'];
  const owner = file.prepare('pragma application_id').get()?.['application_id'];
  return owner === APPLICATION_ID || (tables === 0 && owner === 0);
};

const PAUSE_FIRST_MS = 1;
const PAUSE_MAX_MS = 50;

/**
 * Retry `work` on a file while it is refused as busy, with longer and longer pauses, up to a limit. Errors are put into
 * words; an unexpected one is thrown as it is.
 */
export const waitWhileBusy = async <Result>(
  path: string,
  busyWaitMs: number,
  work: () => Result,
): Promise<Result> => {
  let waitedMs = 0;
  for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
    try {
      return work();
    } catch (error) {
      const described = sqliteError(error, path) ?? error;
      const isBusy = (described as { code?: unknown }).code === 'E_DATABASE_BUSY';
      if (!isBusy || waitedMs >= busyWaitMs) throw described;
    }
    await pause(pauseMs);
    waitedMs += pauseMs;
  }
};

/**
 * More pages than any file has, so that a copy is a single step: it reads one state of the file, and concurrent writes
 * neither appear in it nor restart it.
 */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copy a database file, which others may be using, to a new file without side files, for its owner only.
 *
 * @throws {TieoutError} E_DATABASE_MISSING, E_DATABASE_FOREIGN, E_DATABASE_DAMAGED, E_DATABASE_STORAGE
 */
export const copySqliteFile = async (from: string, to: string): Promise<void> => {
  if (!existsSync(from))
    throw new TieoutError({
      code: 'E_DATABASE_MISSING',
      message: `${from} is not there.`,
      nextStep:
        'Name the configuration whose records are meant, or the database of a served service with --ledger.',
    });
  closeSync(openSync(to, 'wx', 0o600));
  await withFile(from, (source) => backup(source, to, { rate: ALL_PAGES }));
  await withFile(to, (copy) => copy.exec('pragma journal_mode = delete'));
};

const withFile = async <Result>(
  path: string,
  work: (file: DatabaseSync) => Result | Promise<Result>,
): Promise<Result> => {
  const file = await waitWhileBusy(path, BUSY_WAIT_MS, () => openSqliteFile(path));
  try {
    return await work(file);
  } catch (error) {
    throw sqliteError(error, path) ?? error;
  } finally {
    file.close();
  }
};
