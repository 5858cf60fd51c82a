import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { TieoutError } from '../kernel/errors.ts';
import type { Database } from './database.ts';
import { sqliteError } from './sqlite-errors.ts';

export type RunLock = { readonly release: () => Promise<void> };

/** The first key of PostgreSQL's advisory locks that are ours: "TIEO". */
const LOCK_SPACE = 0x5449454f;

/**
 * Let one process at a time work on a database as a whole. The operating system, or the server, holds the lock for
 * the process and drops it when the process ends in any way, so there are no stale locks to clean up.
 *
 * @throws {TieoutError} E_RUN_LOCKED when another process has it; E_DATABASE_ACCESS, E_DATABASE_STORAGE
 */
export const takeRunLock = (database: Database, holder: string): Promise<RunLock> =>
  database.engine === 'postgres' ? lockOnServer(database) : lockOnFile(database, holder);

const locked = (place: string, by: string): TieoutError =>
  new TieoutError({
    code: 'E_RUN_LOCKED',
    recovery: 'wait',
    message: `Another run is working on ${place}${by === '' ? '' : ` (${by})`}.`,
    nextStep: 'Wait until it has finished, then run again; nothing was changed.',
  });

const SQLITE_BUSY = 5;

const lockOnFile = async ({ place }: Database, holder: string): Promise<RunLock> => {
  if (place === ':memory:') return { release: async () => {} };
  const path = `${place}.lock`;
  const note = `${place}.lock-holder`;
  let file: DatabaseSync | undefined;
  try {
    closeSync(openSync(path, 'a', 0o600));
    file = new DatabaseSync(path);
    file.exec('pragma busy_timeout = 0; begin exclusive');
    writeFileSync(note, holder, { mode: 0o600 });
  } catch (error) {
    file?.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) throw locked(place, readNote(note));
    throw sqliteError(error, { path, busyWaitMs: 0 }) ?? error;
  }
  return { release: async () => file.close() };
};

const readNote = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
};

const lockOnServer = async (database: Database): Promise<RunLock> => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: taken, resolve: answer, reject } = Promise.withResolvers<boolean>();
  // A session lock belongs to a connection, so one is kept out of the pool for as long as the lock is held.
  const held = database
    .tables<unknown>()
    .connection()
    .execute(async (connection) => {
      const { rows } = await sql<{
        taken: boolean;
      }>`select pg_try_advisory_lock(${LOCK_SPACE}, 1) as taken`.execute(connection);
      answer(rows[0]?.taken === true);
      if (rows[0]?.taken !== true) return;
      await released;
      await sql`select pg_advisory_unlock(${LOCK_SPACE}, 1)`.execute(connection);
    });
  held.catch(reject);
  if (!(await taken)) throw locked(database.place, '');
  return {
    release: async () => {
      release();
      await held;
    },
  };
};
