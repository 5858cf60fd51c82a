import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { TieoutError } from '../kernel/errors.ts';
import { makeFolder } from '../runtime/make-folder.ts';
import { damagedFile, foreignFile } from './sqlite-errors.ts';

/** "TIEO", written into the header of every file of ours, so that another program's file is never altered. */
const APPLICATION_ID = 0x5449454f;

/**
 * What every connection is set to. An acknowledged write survives a power cut (`synchronous = full`, which the driver
 * takes over for a log), readers never wait for writers (`wal`), and waiting for writers happens outside
 * (`busy_timeout = 0`; see the driver).
 */
export const SETTINGS = [
  'pragma busy_timeout = 0',
  `pragma application_id = ${APPLICATION_ID}`,
  'pragma journal_mode = wal',
  'pragma synchronous = full',
  // Pages that are written again and again go from the log into the file every 64 MB, and not every 4.
  'pragma wal_autocheckpoint = 16384',
  'pragma cache_size = -4096',
  'pragma foreign_keys = on',
] as const;

/** Open a file, or create it for its owner only. @throws E_DATABASE_FOREIGN when it belongs to another program */
export const openSqliteFile = (path: string): DatabaseSync => {
  if (path !== ':memory:') {
    makeFolder(dirname(path), 0o700);
    // SQLite gives its side files the mode of the main file, so this one call decides for all of them.
    closeSync(openSync(path, 'a', 0o600));
  }
  const file = new DatabaseSync(path);
  try {
    if (!isOurs(file)) throw foreignFile(path);
  } catch (error) {
    file.close();
    throw unreadable(error, path);
  }
  return file;
};

const SQLITE_ERROR = 1;

/** What SQLite says of a file of which nothing was asked but what every file answers that it can read. */
export const unreadable = (error: unknown, path: string): unknown => {
  const { errcode, message } = error as { readonly errcode?: number; readonly message: string };
  return errcode === SQLITE_ERROR ? damagedFile({ path, busyWaitMs: 0 }, message) : error;
};

/**
 * Whether a file is one of ours, or no one's yet.
 *
 * @throws {TieoutError} E_DATABASE_DAMAGED when it has tables of ours under the header of another program
 */
export const isOurs = (file: DatabaseSync): boolean => {
  const tables = file.prepare('select count(*) as count from sqlite_schema').get()?.['count'];
  const owner = file.prepare('pragma application_id').get()?.['application_id'];
  if (owner === APPLICATION_ID || (tables === 0 && owner === 0)) return true;
  const ours = file.prepare(
    `select count(*) as count from sqlite_schema where name like '%@_migration@_lock' escape '@'`,
  );
  if (Number(ours.get()?.['count']) > 0)
    throw damagedFile({ path: file.location() ?? '', busyWaitMs: 0 }, 'its header names another program');
  return false;
};

const PAUSE_FIRST_MS = 1;
const PAUSE_MAX_MS = 50;

/**
 * Run `work` until it is not refused for being busy any more, waiting longer and longer in between, up to a limit.
 * Errors are put into words by `describe`; one that it does not know is thrown as it is.
 */
export const waitWhileBusy = async <Result>(
  work: () => Result,
  options: {
    readonly busyWaitMs: number;
    readonly describe: (error: unknown) => TieoutError | undefined;
  },
): Promise<Result> => {
  let waitedMs = 0;
  for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
    try {
      return work();
    } catch (error) {
      const described = options.describe(error) ?? error;
      const isBusy = (described as { code?: unknown }).code === 'E_DATABASE_BUSY';
      if (!isBusy || waitedMs >= options.busyWaitMs) throw described;
    }
    await pause(pauseMs);
    waitedMs += pauseMs;
  }
};

/** The one column that a query asks for. */
export const column = (file: DatabaseSync, query: string): readonly unknown[] =>
  file
    .prepare(query)
    .all()
    .map((row) => Object.values(row)[0]);
