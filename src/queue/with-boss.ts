import type { Database } from '../database/database.ts';
import { type Boss, openBoss } from './open-boss.ts';

/** Open the queues in a database, work with them, and close them again, whatever comes of the work. */
export const withBoss = async <Result>(
  url: string,
  database: Database,
  work: (boss: Boss) => Promise<Result>,
): Promise<Result> => {
  const boss = await openBoss(url, database);
  try {
    return await work(boss);
  } finally {
    await boss.close();
  }
};
