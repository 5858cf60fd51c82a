import { closeSync, existsSync, openSync } from 'node:fs';
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

const missing = (path: string): TieoutError =>
  new TieoutError({
    code: 'E_DATABASE_MISSING',
    message: `${path} is not there.`,
    nextStep:
      'Name the configuration whose records are meant, or the database of a served service with --ledger.',
  });
