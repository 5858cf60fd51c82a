import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CompiledQuery, Kysely, QueryResult } from 'kysely';
import { TieoutError } from '../kernel/errors.ts';
import type { Database } from './database.ts';

/** A queue of statements that change rows; a statement is answered when its change is durable. */
export type WriteQueue = {
  /** Returns the number of rows that the statement changed. */
  readonly write: (statement: CompiledQuery) => Promise<number>;
};

/** Maximum statements per commit: it bounds how long the first of them waits for its answer. */
const GROUP_MAX = 1_000;

type Waiting = {
  readonly statement: CompiledQuery;
  readonly resolve: (changed: number) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Commit single writes of many callers in groups, because a durable commit on SQLite costs a disk sync: the first write
 * starts a group, all that arrive before it has the connection join it, and all are answered after the commit.
 * PostgreSQL groups the commits of its connections itself.
 */
export const writeQueue = (
  database: Database,
  /** Called for every committed group with its number of statements. */
  onCommit: (statements: number) => void = () => {},
): WriteQueue => {
  const tables = database.tables<unknown>();
  if (database.engine === 'postgres') {
    return {
      write: async (statement) => {
        const changed = changedBy(await tables.executeQuery(statement));
        onCommit(1);
        return changed;
      },
    };
  }

  let waiting: Waiting[] = [];
  let isRunning = false;

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      // Wait one turn of the event loop, so that requests that arrived together are committed together.
      await nextTurn();
      const group = waiting.slice(0, GROUP_MAX);
      waiting = waiting.slice(GROUP_MAX);
      if (await commitGroup(tables, group)) onCommit(group.length);
    }
    isRunning = false;
  };

  return {
    write: (statement) =>
      new Promise((resolve, reject) => {
        waiting.push({ statement, resolve, reject });
        if (isRunning) return;
        isRunning = true;
        void run();
      }),
  };
};

/** Commit a group; `false` when it failed and all its callers got the error. */
const commitGroup = async (tables: Kysely<unknown>, group: readonly Waiting[]): Promise<boolean> => {
  const answers: (() => void)[] = [];
  try {
    await tables.transaction().execute(async (transaction) => {
      for (const { statement, resolve, reject } of group) {
        try {
          const changed = changedBy(await transaction.executeQuery(statement));
          answers.push(() => resolve(changed));
        } catch (error) {
          // An error of the database concerns the whole group. A statement that SQLite itself refuses (a violated
          // constraint) has changed nothing and leaves the rest of the transaction as it was.
          if (error instanceof TieoutError) throw error;
          answers.push(() => reject(error));
        }
      }
    });
  } catch (error) {
    for (const { reject } of group) reject(error);
    return false;
  }
  for (const answer of answers) answer();
  return true;
};

const changedBy = (result: QueryResult<unknown>): number => Number(result.numAffectedRows ?? 0n);
