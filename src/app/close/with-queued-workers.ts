import type { LoadedConfiguration } from '../../close/configuration/load-configuration.ts';
import type { Database } from '../../database/database.ts';
import { type HandOut, handOut } from '../../queue/distribute-batches.ts';
import { withBoss } from '../../queue/with-boss.ts';
import type { Workers } from '../../runtime/worker-pool.ts';

/** Runs work with the workers that take batches from the queue in a configuration's workspace. */
export const withQueuedWorkers = <Result>(
  { databases, entity }: LoadedConfiguration,
  database: Database,
  options: Omit<HandOut, 'entity'>,
  work: (workers: Workers) => Promise<Result>,
): Promise<Result> =>
  withBoss(databases.workspace, database, [entity], (boss) => handOut(boss, { ...options, entity }, work));
