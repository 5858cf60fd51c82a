import { PgBoss } from 'pg-boss';
import type { Database } from '../database/database.ts';
import { postgresError } from '../database/postgres-errors.ts';

/** pg-boss with its queues, and a way to ask it for something that puts the errors of the server into words. */
export type Boss = {
  readonly ask: <Result>(work: (boss: PgBoss) => Promise<Result>) => Promise<Result>;
  readonly close: () => Promise<void>;
};

/** Batches that wait or are worked on, and what became of those that were. */
export const BATCHES = 'batches';
export const ANSWERS = 'answers';

const SCHEMA = 'tieout_queue';
const CONNECTIONS_MAX = 3;
/** Workers that may be lost over one batch before it is given up. */
const LOST_MAX = 4;
/** pg-boss bounds the time of a batch, too; whether its worker lives is told by the heartbeat alone. */
const EXPIRY_SECONDS = 23 * 3600;

/** Open the queues in the database at this address, and make what is not there yet. */
export const openBoss = async (
  url: string,
  { place, checkLock }: Pick<Database, 'place' | 'checkLock'>,
): Promise<Boss> => {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'tieout queue',
    schema: SCHEMA,
    max: CONNECTIONS_MAX,
    schedule: false,
    // The close looks for lost workers itself, while it waits for them.
    supervise: false,
    monitorIntervalSeconds: 1,
  });
  // Whatever fails is told to anyone who asked for it.
  boss.on('error', () => {});
  const ask: Boss['ask'] = async (work) => {
    checkLock();
    try {
      return await work(boss);
    } catch (error) {
      throw postgresError(error, place) ?? error;
    }
  };
  const close = () => boss.stop({ graceful: false });
  try {
    await ask(async () => {
      await boss.start();
      await boss.createQueue(ANSWERS, { expireInSeconds: EXPIRY_SECONDS });
      await boss.createQueue(BATCHES, {
        expireInSeconds: EXPIRY_SECONDS,
        retryLimit: LOST_MAX,
        deadLetter: ANSWERS,
      });
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { ask, close };
};
