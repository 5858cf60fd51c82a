import { accessSync, constants } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { TieoutError } from '../kernel/errors.ts';
import type { Database } from './connect.ts';
import { sqliteError } from './database-errors.ts';
import type { ServerLock } from './postgres.ts';
import { createIfMissing } from './sqlite-file.ts';

/** A file beside which the lock is, or a database on a server. */
type Lockable = Pick<Database, 'place' | 'lockOnServer'>;

/**
 * Allow only one process at a time to work with a place: the state of a configuration, or a whole database. The operating system, or the server, holds the lock for
 * the process and drops it when the process ends in any way, so there are no stale locks to clean up. A server also
 * drops it when the connection breaks; the database then refuses every statement, because another process may have the
 * lock.
 *
 * @throws {TieoutError} E_RUN_LOCKED when another process has it; E_DATABASE_ACCESS, E_DATABASE_STORAGE,
 * E_DATABASE_UNREACHABLE
 */
export const takeRunLock = async (database: Lockable): Promise<ServerLock> => {
  if (!database.lockOnServer) return lockOnFile(database);
  const lock = await database.lockOnServer();
  if (!lock) throw locked(database.place);
  return lock;
};

/** Hold the run lock during the work. @throws as `takeRunLock` does */
export const withRunLock = async <Result>(
  database: Lockable,
  work: () => Promise<Result>,
): Promise<Result> => {
  const lock = await takeRunLock(database);
  try {
    return await work();
  } finally {
    await lock.release();
  }
};

const locked = (place: string): TieoutError =>
  new TieoutError({
    code: 'E_RUN_LOCKED',
    message: `Another run is working on ${place}.`,
    nextStep: 'Wait until it has finished, then run again; nothing was changed.',
  });

const SQLITE_BUSY = 5;

/** A process that only checks whether a run is active holds the file for less than this. */
const GLANCE_MS = 50;

const lockOnFile = async ({ place }: Lockable): Promise<ServerLock> => {
  if (place === ':memory:') return { release: async () => {} };
  const path = `${place}.lock`;
  let file: DatabaseSync | undefined;
  try {
    createIfMissing(path);
    // Of a file that can only be read, SQLite would grant every process its lock.
    accessSync(path, constants.W_OK);
    file = new DatabaseSync(path);
    file.exec(`pragma busy_timeout = ${GLANCE_MS}; begin exclusive`);
  } catch (error) {
    file?.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) throw locked(place);
    throw sqliteError(error, path) ?? error;
  }
  return { release: async () => file.close() };
};
