import { PgBoss } from 'pg-boss';
import type { Database } from '../database/database.ts';
import { postgresError } from '../database/postgres-errors.ts';

/** pg-boss with its queues, and `ask`, which puts the errors of the server into words. */
export type Boss = {
  readonly ask: <Result>(work: (boss: PgBoss) => Promise<Result>) => Promise<Result>;
  readonly close: () => Promise<void>;
};

/** The queue of answers. Only one close hands out batches in a database, whatever its entity. */
export const ANSWERS = 'answers';

/** Returns the name of the queue of batches of an entity, which wait or are in progress. */
export const batchesOf = (entity: string): string => `batches/${entity}`;

const SCHEMA = 'tieout_queue';
const CONNECTIONS_MAX = 3;
/** How many workers may be lost over one batch; with the next loss it is given up. */
const LOST_MAX = 4;
/** pg-boss also limits the time of a batch; only the heartbeat tells whether its worker is alive. */
const EXPIRY_SECONDS = 23 * 3600;

/** Open the queues of these entities in the database at this address, and create what is missing. */
export const openBoss = async (
  url: string,
  entities: readonly string[],
  { place, checkLock }: Pick<Database, 'place' | 'checkLock'>,
): Promise<Boss> => {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'tieout queue',
    schema: SCHEMA,
    max: CONNECTIONS_MAX,
    schedule: false,
    // The close itself looks for lost workers while it waits for them.
    supervise: false,
    monitorIntervalSeconds: 1,
  });
  // A caller of `ask` gets its errors there.
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
      for (const entity of entities)
        await boss.createQueue(batchesOf(entity), {
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
