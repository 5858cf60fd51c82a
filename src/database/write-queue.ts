import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CompiledQuery, Kysely, QueryResult } from 'kysely';
import { TieoutError } from '../kernel/errors.ts';
import type { Database } from './database.ts';

/** A statement that changes rows, and how to send it: the answer comes when the change is durable. */
export type WriteQueue = {
  /** How many rows it changed. */
  readonly write: (statement: CompiledQuery) => Promise<number>;
};

/** Statements committed together at the most: it bounds how long the first of them waits for its answer. */
const GROUP_MAX = 1_000;

type Waiting = {
  readonly statement: CompiledQuery;
  readonly resolve: (changed: number) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Single writes from many callers. A durable commit on SQLite costs a trip to the disk, so what is waiting is
 * committed in groups: the first write starts one, all that arrive before it has the connection travel with it, and
 * everybody is answered after the commit. PostgreSQL groups the commits of its connections itself.
 */
export const writeQueue = (
  database: Database,
  /** Told of every group that was committed, with its number of statements. */
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
      // One turn of the event loop, so that requests which arrived together travel together.
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

/** `false` when the group could not be committed, which everybody in it was told. */
const commitGroup = async (tables: Kysely<unknown>, group: readonly Waiting[]): Promise<boolean> => {
  const answers: (() => void)[] = [];
  try {
    await tables.transaction().execute(async (transaction) => {
      for (const { statement, resolve, reject } of group) {
        try {
          const changed = changedBy(await transaction.executeQuery(statement));
          answers.push(() => resolve(changed));
        } catch (error) {
          // What is wrong with the database is wrong for all. What SQLite refuses for its own sake (a violated
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
