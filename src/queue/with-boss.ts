import type { Database } from '../database/database.ts';
import { type Boss, openBoss } from './open-boss.ts';

/** Open the queues of these entities in a database, work with them, and close them in any case. */
export const withBoss = async <Result>(
  url: string,
  database: Database,
  entities: readonly string[],
  work: (boss: Boss) => Promise<Result>,
): Promise<Result> => {
  const boss = await openBoss(url, entities, database);
  try {
    return await work(boss);
  } finally {
    await boss.close();
  }
};
