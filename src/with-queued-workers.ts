import type { LoadedConfiguration } from './close/configuration/load-configuration.ts';
import type { Database } from './database/database.ts';
import { type HandOutOptions, queuedWorkers } from './queue/hand-out-batches.ts';
import { openBoss } from './queue/open-boss.ts';
import type { Workers } from './runtime/workers.ts';

/** Work with the workers that take batches from the queue in a configuration's workspace. */
export const withQueuedWorkers = async <Result>(
  { databases }: LoadedConfiguration,
  database: Database,
  options: HandOutOptions,
  work: (workers: Workers) => Promise<Result>,
): Promise<Result> => {
  const boss = await openBoss(databases.workspace, database);
  try {
    return await work(queuedWorkers(boss, options));
  } finally {
    await boss.close();
  }
};
