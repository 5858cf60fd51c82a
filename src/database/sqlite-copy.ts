import { closeSync, existsSync, openSync, renameSync } from 'node:fs';
import { backup, type DatabaseSync } from 'node:sqlite';
import { TieoutError } from '../kernel/errors.ts';
import { BUSY_WAIT_MS } from './database.ts';
import { sqliteError } from './sqlite-errors.ts';
import { openSqliteFile, waitWhileBusy } from './sqlite-file.ts';

/**
 * More pages than any file has, so that a copy is a single step: it reads one state of the file, and concurrent writes
 * neither appear in it nor restart it.
 */
const ALL_PAGES = 2 ** 31 - 1;

/** Files that SQLite keeps beside an open database. If it finds one on opening, it reads it into the database. */
export const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;

/**
 * Copy a database file, which others may be using, to a new file without side files, for its owner only.
 *
 * @throws {TieoutError} E_DATABASE_MISSING, E_DATABASE_FOREIGN, E_DATABASE_DAMAGED, E_DATABASE_STORAGE
 */
export const copySqliteFile = async (from: string, to: string): Promise<void> => {
  if (!existsSync(from)) throw missing(from);
  closeSync(openSync(to, 'wx', 0o600));
  await withFile(from, (source) => backup(source, to, { rate: ALL_PAGES }));
  await withFile(to, standAlone);
};

/**
 * Replace the content of a database file with that of another, in one SQLite transaction: a kill leaves either the old
 * content or the new. A file too damaged to be opened is first renamed.
 *
 * @throws {TieoutError} E_DATABASE_IN_USE, E_DATABASE_FOREIGN, E_DATABASE_STORAGE
 */
export const replaceSqliteFile = async (from: string, to: string): Promise<void> => {
  await setAsideIfDamaged(to);
  await withFile(to, (target) => refuseInUse(target, to));
  await withFile(from, (source) => backup(source, to, { rate: ALL_PAGES }));
};

/** Refuse a file that is open elsewhere, and so must not be replaced. @throws {TieoutError} E_DATABASE_IN_USE */
export const refuseUsedFile = async (path: string): Promise<void> => {
  try {
    await withFile(path, (file) => refuseInUse(file, path));
  } catch (error) {
    if (!isDamaged(error)) throw error;
  }
};

const withFile = async <Result>(
  path: string,
  work: (file: DatabaseSync) => Result | Promise<Result>,
): Promise<Result> => {
  const place = { path, busyWaitMs: BUSY_WAIT_MS };
  const describe = (error: unknown) => sqliteError(error, place);
  const file = await waitWhileBusy(() => openSqliteFile(path), { busyWaitMs: BUSY_WAIT_MS, describe });
  try {
    return await work(file);
  } catch (error) {
    throw describe(error) ?? error;
  } finally {
    file.close();
  }
};

const standAlone = (file: DatabaseSync): void => file.exec('pragma journal_mode = delete');

const SQLITE_BUSY = 5;

/** Refuse a file in use: SQLite leaves the write-ahead log only when no other connection has the file open. */
const refuseInUse = (file: DatabaseSync, path: string): void => {
  try {
    standAlone(file);
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new TieoutError({
      code: 'E_DATABASE_IN_USE',
      message: `${path} is open in another process, which would go on with what it remembers of it.`,
      nextStep:
        'Stop `tieout serve`, or wait until the run has finished, then run again; nothing was changed.',
      cause: error,
    });
  }
};

const setAsideIfDamaged = async (path: string): Promise<void> => {
  if (!existsSync(path)) return;
  try {
    await withFile(path, (file) => file.prepare('pragma quick_check(1)').all());
  } catch (error) {
    if (!isDamaged(error)) throw error;
    for (const side of ['', ...SIDE_FILES])
      if (existsSync(`${path}${side}`)) renameSync(`${path}${side}`, `${path}.damaged${side}`);
  }
};

const isDamaged = (error: unknown): boolean =>
  error instanceof TieoutError && error.code === 'E_DATABASE_DAMAGED';

const missing = (path: string): TieoutError =>
  new TieoutError({
    code: 'E_DATABASE_MISSING',
    message: `${path} is not there.`,
    nextStep: 'Name the configuration whose databases are meant, or the service database with --ledger.',
  });
